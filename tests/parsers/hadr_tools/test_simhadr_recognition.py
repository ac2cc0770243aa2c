import polars as pl
import pytest

from parsers.format import Recognition
from parsers.hadr_tools.simhadr_recognition import recognise_disk, recognise_network
from tests.support.simhadr_output import Output, disk_test

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
