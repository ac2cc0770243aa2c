import pytest

from parsers.hadr_tools.simhadr_lines import DAMAGED, LINES, Stage, Subject


def known(text: str) -> list[tuple[Subject, Stage | None]]:
    return [(line.subject, line.stage) for line in LINES if line.pattern.fullmatch(text)]


# REAL, all of the corpus: one line of each kind
@pytest.mark.parametrize(
    ("text", "subject", "stage"),
    [
        ("NEARSYNC: Total 410255360 bytes in 4.000821 seconds, 102.542793 MBytes/sec", Subject.FIGURES, Stage.RESULT),
        ("Total 9409 writes in 4.000160 seconds, 0.000425 sec/write, 1 pages/write", Subject.FIGURES, Stage.RESULT),
        ("Total 2493 reads in 0.186893 seconds, 0.000075 sec/read, 1 pages/read", Subject.FIGURES, Stage.RESULT),
        ("Total 38.539264 MBytes written in 4.000160 seconds. 9.634431 MBytes/sec", Subject.FIGURES, Stage.TOTALS),
        ("targetRate 10.000000 MBytes/sec, totalIdleTime 2.838221 second (95% idle)", Subject.FIGURES, Stage.TOTALS),
        ("Total 3130 flushes, 0.001278 sec/flush, 32 pages (131072 bytes)/flush", Subject.FIGURES, Stage.TOTALS),
        ("disk speed: 50.000000 MB/second, overhead: 0.010000 second/write", Subject.FIGURES, Stage.TOTALS),
        ("Total 49152 bytes written in 0.030981 seconds. 1.586521 MBytes/sec", Subject.FIGURES, Stage.TOTALS),
        ("Total 3 write calls, 16.384 kBytes/write, 0.010327 sec/write", Subject.FIGURES, Stage.TOTALS),
        ("Total 10893 send calls, 37.662 KBytes/send,", Subject.FIGURES, Stage.TOTALS),
        ("Total 3136 congestions, 0.848714 seconds, 0.000270 second/congestion", Subject.FIGURES, Stage.TOTALS),
        ("Total 3130 recv calls, 0.048 KBytes/recv", Subject.FIGURES, Stage.TOTALS),
        ("Standby receive buffer size 64 pages (262144 bytes)", Subject.FIGURES, Stage.TRAFFIC),
        ("flushSize = 32 pages", Subject.SETTING, Stage.PREFACE),
        ("flushSize=32", Subject.HANDSHAKE_PART, Stage.HANDSHAKE),
        ("connTime=2008-07-09_17:12:25_PDT", Subject.HANDSHAKE_PART, Stage.HANDSHAKE),
        ("alias: brant", Subject.HOST_PART, Stage.HOSTS),
        ("Socket property upon buffer resizing", Subject.SOCKET, Stage.CONNECTION),
        ("SO_LINGER: onoff=0, length=0", Subject.SOCKET_PART, Stage.CONNECTION),
        ("Calling setsockopt(TCP_NODELAY)", Subject.STEP, Stage.CONNECTION),
        ("Requested sleep 0.010327 second, actual 0.010332 second", Subject.SLEEP, Stage.TRAFFIC),
        ("Warning: inaccurate sleep time.", Subject.SLEEP, Stage.TRAFFIC),
        ("Writing 4 pages. Write time = 0.010327 second.", Subject.TRACE, None),
        ("Writing to file testFile", Subject.STEP, Stage.TRAFFIC),
        ("16384 bytes sent", Subject.TRACE, None),
        ("bytesPerFlush=65536, bytesWritten=65536", Subject.STEP, None),
        ("connect() failed. errno=111, Connection refused", Subject.ERROR, None),
        ("gethostbyname(nosuchhost.example) failed, errno=11 h_errno=2", Subject.ERROR, None),
        ("gethostbyname() errno. errno=11, Resource temporarily unavailable", Subject.ERROR, None),
        ("h_err: Non-Authoritive Host not found, try again later", Subject.ERROR, None),
        ("Error: totalBytesWritten 5 != totalBytesSent 4", Subject.ERROR, None),
        ("|  Version 2.1, 64 bit. Copyright |", Subject.HELP, None),
    ],
)
def test_a_line_is_of_one_kind(text: str, subject: Subject, stage: Stage | None) -> None:
    assert known(text) == [(subject, stage)]


@pytest.mark.parametrize(
    "text",
    [
        "NEARSYNC: Total 410255360 bytes in 4.000821 sec",
        "Total 3130 flushes, 0.00",
        "SO_SNDBUF=12x",
        "+ simhadx",
    ],
)
def test_a_damaged_line_is_none_but_looks_like_one(text: str) -> None:
    assert known(text) == []
    assert DAMAGED.match(text)


def test_prose_is_neither() -> None:
    text = "We ran it again on the other network, and it was slower."
    assert known(text) == []
    assert not DAMAGED.match(text)
