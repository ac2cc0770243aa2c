import polars as pl
import pytest

from parsers.configuration.host_names import FORMAT
from parsers.format import Recognition, formats
from pipeline.reading.recognition import recognise
from tests.support.message_lines import rows


@pytest.mark.parametrize(
    ("name", "lines", "expected"),
    [
        ("members.txt", ["alder birch "], "host_names"),
        ("members.txt", ["alder", "birch"], "host_names"),
        ("hostname", ["alder.example.com"], "host_names"),
        ("RUNNING", ["alder"], "host_names"),
        ("hostname", ["alder: no such command"], None),
        ("hostname", ["12"], None),
        ("hostname", ["please ask the administrator for it"], None),
        ("notes.txt", ["alder birch"], None),
        ("hostname", ["2026-07-22T10:41:19Z alder app[1]: a", "2026-07-22T10:41:20Z alder app[1]: b"], "syslog"),
    ],
)
def test_words_are_names_of_hosts_in_files_of_such_names(name: str, lines: list[str], expected: str | None) -> None:
    assert recognise(pl.Series(lines), name, formats()).format == expected


def test_name_alone_is_the_writer_and_several_are_members() -> None:
    assert rows(FORMAT, "alder", table="host_name") == [{"host": "alder"}]
    assert rows(FORMAT, "alder birch ", table="host_name") == [{"member": "alder"}, {"member": "birch"}]
    assert isinstance(FORMAT.recognise(pl.Series(["alder"])), Recognition)
