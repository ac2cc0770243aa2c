"""Words by which people call machines of a cluster, and names of folders of clients, systems and support bundles."""

import re

SYSTEM_FOLDERS = frozenset(
    "adm cluster conf conf.d config corosync corosync.d cores db2dump etc home log logs opt pacemaker pcs pengine "  # noqa: SIM905  a list of words
    "sos_commands sos_logs sqllib sysconfig syslog tmp usr var vrtsvcs".split()
)
"""Folders of a system or of a support bundle that a copied tree carries along: no configuration below run or node."""

BUNDLE_FOLDER = re.compile(
    r"(?:crm_report|hb_report|pcmk|sos(?:report)?|scc|nts|supportconfig|hagetcf|db2support|must-gather|inspect)[-_.]",
    re.IGNORECASE | re.ASCII,
)
"""A support bundle that was unpacked: its name holds a host or a day."""

MUST_GATHER_FOLDER = re.compile(r"must-gather[-_.]", re.IGNORECASE | re.ASCII)
"""It has a folder for each image that collected something, named for the image."""

CLIENT_FOLDER = re.compile(
    r"(?:client|probe|load(?:[ _-]?gen(?:erator)?)?|driver)s?[ _-]?[0-9]{0,3}", re.IGNORECASE | re.ASCII
)
"""A folder of a machine that only uses the service: its files often name no host."""

ROLE = (
    "primary|secondary|standby|replica|master|slave|leader|follower|principal|mirror|active|passive|witness|arbiter|"
    "left|right|monitor|router|proxy|haproxy|load[ _-]?balancer|sentinel|operator|observer"
)

MACHINE = (
    "node|knoten|nodo|noeud|n|server|serveur|servidor|srv|host|rechner|machine|maschine|vm|db|database|member|instance|"
    "system|sys|pg|postgres|mysql|mongo|mongod|redis|valkey|sentinel|etcd|proxy|haproxy|lb|dbserver|replica|standby|secondary|slave|follower"
)

PORT = r"(?:1[1-8]|2[1-9]|[3-9][0-9])[0-9][0-9]|[1-6][0-9]{4}"
"""Of four digits or five; years are none: redis-6370."""

WORD = rf"(?:(?:{MACHINE})(?:[ ._#-]?(?:[0-9]{{1,3}}|[a-z])|[ ._#-](?:{PORT}))|{ROLE}|dbserver)"

NODE_WORDS = re.compile(rf"\(?{WORD}\)?(?:[ ._-]{{1,3}}\(?{WORD}\)?){{0,2}}", re.IGNORECASE | re.ASCII)
"""primary, node1, node A, server-b, DB02, n3, standby2, node1 (primary)."""

LETTERED = re.compile(rf"(?P<machine>{MACHINE})[a-z]", re.IGNORECASE | re.ASCII)
"""nodea, dbB; but also nodes, systemd, no: one alone is a word."""

OF_MACHINE = re.compile(rf"(?P<machine>{MACHINE})[ ._#-]+[^\W0-9]\w*", re.IGNORECASE)
"""Server alt, node-blue: a machine where others of that word were logged at the same time."""

BYTE = r"(?:25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])"

NODE_ADDRESS = re.compile(rf"(?:10|172\.(?:1[6-9]|2[0-9]|3[01])|192\.168)(?:\.{BYTE}){{2,3}}", re.ASCII)
"""10.0.0.5, 192.168.1.12: of a private network; around runs it may be a release of something."""
