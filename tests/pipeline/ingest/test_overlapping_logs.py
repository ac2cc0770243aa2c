import os
from pathlib import Path

import pytest

from tests.support.ingest_study import rows, run


@pytest.mark.usefixtures("without_views")
def test_lines_that_rotated_copies_share_are_counted_once(tmp_path: Path) -> None:
    """Nine minutes of which the newer copy repeats the middle three: each line is in the store once."""
    lines = [f"Jul 28 10:{minute:02d}:04 sun-ha4 kernel: link {minute} down\n" for minute in range(9)]
    study = tmp_path / "study"
    study.mkdir()
    for name, part in (("messages.1", lines[:6]), ("messages", lines[3:])):
        (study / name).write_text("".join(part))
        os.utime(study / name, ns=(10**18, 10**18))
    run(study, tmp_path / "a.duckdb")
    texts = rows(tmp_path / "a.duckdb", "select text from log.syslog_event order by text")
    assert texts == [(f"link {minute} down",) for minute in range(9)]
    (counts,) = rows(
        tmp_path / "a.duckdb", "select sum(parsed_lines), sum(ignored_lines), sum(lines) from main.source_file"
    )
    assert counts == (9, 3, 12)
