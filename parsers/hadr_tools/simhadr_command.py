"""The command line of simhadr: which run it asks for.

    + simhadr -role primary -lhost brant -lport 46000 -rhost auklet -rport 46000 -sockSndBuf 64000 -disk 45 0.005

The first version tests a disk with -testDisk, later ones with -write and -read.
"""

import re

from parsers.hadr_tools.sheet import Row, decimal, whole

# REAL: + simhadr -testSleep 0.001
COMMAND = re.compile(r"\+ (?:\S*[/\\])?simhadr\w*(?:\.exe)?(?P<arguments>(?:\s.*)?)", re.IGNORECASE)
WRAPPED = re.compile(r"\s+-[A-Za-z]\w*(?:\s+\S+)*\s*")

ADDRESS = re.compile(r"[0-9.]+|.*:.*|localhost(?:\..*)?", re.IGNORECASE)
"""What names no host of its own: an address, or the loopback."""
MAX_PORT = 65535

_PORTS = {"lport": "local_port", "rport": "remote_port"}
_WHOLE = {
    "flushsize": "asked_pages",
    "n": "asked_flushes",
    "socksndbuf": "asked_sndbuf_bytes",
    "sockrcvbuf": "asked_rcvbuf_bytes",
    "hadrbufsize": "hadr_buffer_pages",
}
_DECIMAL = {"t": "asked_s", "target": "target_mb_s"}
_TESTS = {"write": "write", "read": "read", "testdisk": "test_disk", "testsleep": "test_sleep"}
_SYNC_MODES = ("SYNC", "NEARSYNC", "ASYNC", "SUPERASYNC")


def asked_for(command: str) -> Row:
    """What the arguments of a command line say, by column of the table simhadr_run."""
    asked: Row = {}
    words = command.split()
    for place, word in enumerate(words):
        if not word.startswith("-"):
            continue
        values = words[place + 1 : place + 3]
        asked |= _option(word[1:].lower(), values[0] if values else None, values[1] if len(values) > 1 else None)
    return asked


def _option(name: str, value: str | None, second: str | None) -> Row:
    if name in ("lhost", "rhost"):
        return _host(name, value)
    if name in _PORTS:
        return {_PORTS[name]: whole(value, MAX_PORT)}
    if name in _WHOLE:
        return {_WHOLE[name]: whole(value)}
    if name in _DECIMAL:
        return {_DECIMAL[name]: decimal(value)}
    if name in _TESTS:
        return {"role": _TESTS[name], "test_file": None if name == "testsleep" else value}
    return _other_option(name, value or "", second)


def _host(name: str, value: str | None) -> Row:
    if name == "rhost":
        return {"remote_host": value}
    return {"local_host": value, "own_host": None if ADDRESS.fullmatch(value or "") else value}


def _other_option(name: str, value: str, second: str | None) -> Row:
    if name == "role":
        return {"role": value.lower() if value.lower() in ("primary", "standby") else None}
    if name == "syncmode":
        return {"asked_syncmode": value.upper() if value.upper() in _SYNC_MODES else None}
    if name == "disk":
        return {"disk_mb_s": decimal(value), "disk_overhead_s": decimal(second)}
    flags = {"rcu": ("asked_syncmode", "RCU"), "verbose": ("is_verbose", True), "cache": ("is_cached", True)}
    return {flags[name][0]: flags[name][1]} if name in flags else {}
