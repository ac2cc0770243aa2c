"""Files of every format to start from: those of the samples, and of the corpus where it lies beside the project."""

import re
from collections import defaultdict
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from math import inf
from pathlib import Path, PurePosixPath

from parsers.format import formats
from pipeline.reading.lines import read_head
from pipeline.reading.recognition import Question, recognise_each
from samples.files import SAMPLES, files

ROOT = SAMPLES.parent
FOLDERS = (ROOT.parent / "shared" / "corpus", ROOT.parent / "shared" / "stacks", SAMPLES)
AT_A_TIME = 64
FURTHER_RUN = re.compile(r"(?:^|/)run0*(?!1/)[1-9][0-9]*/")
"""Runs of a configuration are alike: the first stands for all."""
MOST_BYTES = 65_536

OTHERS = {
    "chaos_object": "apiVersion: chaos-mesh.org/v1alpha1\nkind: PodChaos\nmetadata:\n"
    '  creationTimestamp: "2026-01-01T10:00:00Z"\nstatus:\n  experiment:\n    containerRecords:\n    - events:\n'
    '      - operation: Apply\n        timestamp: "2026-01-01T10:00:01Z"\n      id: default/n1\n',
    "cib": '<cib crm_feature_set="3" validate-with="p" epoch="1" num_updates="0" admin_epoch="0">\n<configuration>\n'
    '<crm_config>\n<nvpair id="a" name="stonith-enabled" value="true"/>\n</crm_config>\n</configuration>\n</cib>\n',
    "client_probe": "2003-07-28T10:27:04Z ok 12 ms\n2003-07-28T10:27:05Z failed\n",
    "cluster_status": "2 nodes configured\nOnline: [ n1 n2 ]\n vip\t(ocf::heartbeat:IPaddr2):\tStarted n1\n",
    "dd": "1000+0 records in\n1000+0 records out\n8192000 bytes (8.2 MB, 7.8 MiB) copied, 0.5 s, 16.4 MB/s\n",
    "mysql_variables": "Variable_name\tValue\nwsrep_cluster_size\t3\nwsrep_local_state\t4\n",
    "patronictl": "+ Cluster: demo (1) -----+---------+---------+----+-----------+\n"
    "| Member | Host     | Role    | State   | TL | Lag in MB |\n"
    "+--------+----------+---------+---------+----+-----------+\n"
    "| n1     | 10.0.0.1 | Leader  | running |  1 |           |\n"
    "| n2     | 10.0.0.2 | Replica | running |  1 |         0 |\n"
    "+--------+----------+---------+---------+----+-----------+\n",
    "container_log": "2026-01-01T10:00:00.000000000Z stdout F one\n2026-01-01T10:00:01.000000000Z stderr P two\n",
    "corosync": "Jan 01 10:00:00 [123] n1 corosync notice  [TOTEM ] A new membership\n",
    "dated_log": "2026-01-01 10:00:00,000 [main] INFO  a.B - one\n  at two\n"
    "2026-01-01 10:00:01,000 [main] WARN  a.B - three\n",
    "db2_dbm_cfg": " Diagnostic error capture level              (DIAGLEVEL) = 3\n",
    "db2_nfy": "2003-07-28-10.27.04.000000   Instance:db2inst1   Node:000\nADM1500W  DB2 has stopped.\n",
    "drbd_conf": "resource r0 {\n  protocol C;\n  on n1 { address 10.0.0.1:7788; }\n}\n",
    "event_export": "Level,Date and Time,Source,Event ID,Task Category\n"
    'Error,1/31/2026 6:38:24 PM,Disk,7,None,"The device has a bad block.\n\nFurther text."\n',
    "ha_cf": "keepalive 2\ndeadtime 30\nnode n1\nnode n2\n",
    "haresources": "n1 10.0.0.9 Filesystem::/dev/sdb1::/data::ext3 db2\n",
    "host_names": "n1 n2\n",
    "host_time": "Thu Jan  1 10:00:00 CET 2026\n",
    "jepsen_history": "{:index 0, :time 9439625, :type :invoke, :process 0, :f :read, :value nil}\n"
    "{:index 1, :time 13726708, :type :ok, :process 0, :f :read, :value [[:r 1 {:a 2}]]}\n"
    '{:type :info, :f :kill, :value {"n1" :killed}, :process :nemesis, :time 746000000, :index 2}\n',
    "jepsen_history_text": "0\t:invoke\t:read\tnil\n0\t:ok\t:read\t[0 1]\n:nemesis\t:info\t:kill\t:one\n",
    "jepsen_log": "2026-01-01 10:00:00,000{GMT}\tINFO\t[jepsen test runner] jepsen.core: Running test:\n"
    ' #object[org.joda.time.DateTime "0x1a" "2026-01-01T09:59:59.000+01:00"]\n'
    "2026-01-01 10:00:01,000{GMT}\tINFO\t[jepsen worker nemesis] jepsen.util: :nemesis\t:info\t:kill\tnil\n",
    "keepalived_conf": "vrrp_instance VI_1 {\n  advert_int 1\n  virtual_ipaddress {\n    10.0.0.9\n  }\n}\n",
    "llthosts": "0 n1\n1 n2\n",
    "patroni": "2026-01-01 10:00:00,000 INFO: no action. I am (n1), the leader with the lock\n",
    "patroni_yml": "scope: demo\nname: n1\nbootstrap:\n  dcs:\n    ttl: 30\n    loop_wait: 10\n",
    "minute_log": "2026-01-01 10:00 INFO one\n  at two\n2026-01-01 10:01 WARN three\n2026-01-01 10:03 four\n",
    "time_of_day_log": "10:00:00.123 [main] INFO one\n  at two\n10:00:01.456 [main] WARN three\n10:00:02.789 four\n",
    "vxfen": "vxfen_mode=scsi3\nscsi3_disk_policy=dmp\n",
}
"""Of formats that no folder has. RECONSTRUCTED."""


def seeds(most: int) -> dict[str, list[bytes]]:
    """At most so many files of each format, the first 64 KiB of each."""
    found: dict[str, list[bytes]] = defaultdict(list)
    for folder in FOLDERS:
        for name, content in recognised(folder):
            if len(found[name]) < most:
                found[name].append(content[:MOST_BYTES])
    for name, text in OTHERS.items():
        found[name] = [*found[name], text.encode()][:most]
    return dict(sorted(found.items()))


def recognised(folder: Path, most_bytes: float = inf) -> Iterator[tuple[str, bytes]]:
    """Format and content of the files below a folder that are of one and not too large, of the first runs."""
    found = ((path, content) for path, content in files(folder) if len(content) <= most_bytes)
    all_files = (each for each in found if not FURTHER_RUN.search(each[0]))
    while batch := list(islice(all_files, AT_A_TIME)):
        read = [(path, content, read_head(BytesIO(content))) for path, content in batch]
        texts = [(path, content, head.lines) for path, content, head in read if not head.problem]
        decisions = recognise_each([Question(lines, PurePosixPath(path).name) for path, _, lines in texts], formats())
        for (_, content, _), decision in zip(texts, decisions, strict=True):
            if decision.format is not None:
                yield decision.format, content
