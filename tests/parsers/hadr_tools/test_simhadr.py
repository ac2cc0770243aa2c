import polars as pl
import pytest

from parsers.format import Recognition
from parsers.hadr_tools.simhadr import FORMAT
from parsers.hadr_tools.simhadr_disk import FORMAT as DISK_FORMAT
from parsers.hadr_tools.simhadr_outcome import Run
from parsers.hadr_tools.simhadr_recognition import recognise_disk, recognise_network
from tests.support.simhadr_output import Output, disk_test


def test_both_formats_read_alike() -> None:
    assert FORMAT.parse is DISK_FORMAT.parse
    assert FORMAT.role == DISK_FORMAT.role == "measurement"


NETWORK, DISK = Output().lines(), disk_test("write", 1, 9409, 4.000160).splitlines()


@pytest.mark.parametrize(
    ("texts", "is_network", "is_disk"),
    [
        (NETWORK, True, False),
        (NETWORK[1:], True, False),
        (["Dear all,", "", *NETWORK], True, False),
        (["    " + text for text in NETWORK], True, False),
        (DISK, False, True),
        (DISK[3:], False, True),
        (["+ simhadr -testSleep 0.001 "], False, True),
        ([*DISK, *NETWORK], True, False),
        (["+ simhadr -t 4 "], True, False),
        (["Measured sleep overhead: 0.003608 second, using spin time 0.004329 second."], True, False),
        (["We will run simhadr -role primary tomorrow."], False, False),
        (["Total 5 writes"], False, False),
        ([], False, False),
    ],
)
def test_whose_file_it_is(texts: list[str], is_network: bool, is_disk: bool) -> None:  # noqa: FBT001 - a table of cases
    head = pl.Series(texts, dtype=pl.String())
    assert isinstance(recognise_network(head), Recognition) == is_network
    assert isinstance(recognise_disk(head), Recognition) == is_disk


def ended(given: dict[str, float | None], **row: object) -> str:
    return Run({"role": "primary", **row}, given=given, has_command=True).status()


@pytest.mark.parametrize(
    ("given", "row", "status"),
    [
        ({}, {}, "no_result"),
        ({"seconds": 4.000821}, {}, "complete"),
        ({"seconds": 1.705384}, {"asked_s": 60.0}, "interrupted"),  # REAL: gen_lo_sigint
        ({"seconds": 3.2}, {}, "interrupted"),  # 4 seconds are the default
        ({"seconds": 0.0122, "flushes": 1000}, {"asked_flushes": 1000}, "complete"),
        ({"seconds": 0.0122, "flushes": 999}, {"asked_flushes": 1000}, "interrupted"),
        ({"seconds": 1.0, "calls": 3}, {"role": "write", "asked_flushes": 3}, "complete"),
        ({"seconds": 1.705672}, {"role": "standby"}, "complete"),  # ends when the primary does
        ({"seconds": 1.0}, {"role": None}, "complete"),
        ({"seconds": 4.1}, {"error": "Error: totalBytesWritten 5 != totalBytesSent 4"}, "aborted"),
        ({"seconds": 4.1}, {"error": "recv() failed. errno=104, Connection reset by peer"}, "aborted"),
        ({"seconds": 4.1}, {"error": "connect() failed. errno=111, Connection refused"}, "complete"),  # it tried again
        ({"sleep_actual_s": 0.001017}, {"role": "test_sleep"}, "complete"),
        ({"seconds": None}, {}, "complete"),
    ],
)
def test_how_a_run_ended(given: dict[str, float | None], row: dict[str, object], status: str) -> None:
    assert ended(given, **row) == status


def test_an_excerpt_without_a_command_line_is_taken_as_it_is() -> None:
    assert Run({"role": "primary"}, given={"seconds": 1.0}).status() == "complete"


def test_a_file_read_to_its_end_is_complete() -> None:
    run = Run({"role": "read", "asked_s": 2.0}, given={"seconds": 0.186893}, has_reached_end_of_file=True)
    assert run.status() == "complete"


def test_a_fatal_error_outweighs_the_first() -> None:
    run = Run({"role": "primary"}, given={"seconds": 4.1})
    run.fail("connect() failed. errno=111, Connection refused")
    run.fail("h_err: something")
    assert run.row["error"] == "connect() failed. errno=111, Connection refused"
    run.fail("recv() failed. errno=104, Connection reset by peer")
    assert run.status() == "aborted"
