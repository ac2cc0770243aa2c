"""Telling output of simhadr from other files, and its disk tests from its runs over the network."""

import polars as pl

from parsers.format import Recognition, Refusal

COMMAND = r"^\s*\+ (?:\S*[/\\])?simhadr"
RUN = r"^\s*(?:SYNC|NEARSYNC|ASYNC|SUPERASYNC|RCU): Total [0-9]+ bytes in [0-9.]+ seconds"
NETWORK = (
    rf"{COMMAND}.* -role\b|{RUN}|^\s*(?:Sending|Received) handshake message:|^\s*Socket property upon "
    r"|^\s*Total [0-9]+ flushes, [0-9.]+ sec/flush|^\s*Distribution of (?:log shipping time|log write size|congestion)"
)
DISK = (
    rf"{COMMAND}.* -(?:write|read|testDisk|testSleep)\b"
    r"|^\s*Total [0-9]+ (?:writes|reads) in [0-9.]+ seconds, [0-9.]+ sec/"
    r"|^\s*Distribution of (?:write|read) time \(unit"
)
EITHER = rf"{COMMAND}|^\s*Measured sleep overhead: [0-9.]+ second"
CONFIDENCE = 0.97


def recognise_network(head: pl.Series) -> Recognition | Refusal:
    """Claim output of a primary or a standby, or of simhadr that shows no disk test."""
    network, either = _first(head, NETWORK), _first(head, EITHER)
    if network is not None:
        return Recognition(CONFIDENCE, "run of simhadr", network)
    if either is not None and _first(head, DISK) is None:
        return Recognition(CONFIDENCE, "simhadr was started", either)
    return Refusal("no command line and no result of simhadr", 1 if len(head) else 0)


def recognise_disk(head: pl.Series) -> Recognition | Refusal:
    """Claim output that holds disk or sleep tests and no run over the network."""
    disk, network = _first(head, DISK), _first(head, NETWORK)
    if disk is None:
        return Refusal("no disk test of simhadr", 1 if len(head) else 0)
    if network is not None:
        return Refusal("disk tests of simhadr beside its runs", network)
    return Recognition(CONFIDENCE, "disk test of simhadr", disk)


def _first(head: pl.Series, pattern: str) -> int | None:
    """Number of the first line that matches, from 1."""
    found = head.str.contains(pattern)
    return (found.arg_max() or 0) + 1 if found.any() else None
