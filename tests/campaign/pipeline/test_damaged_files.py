"""Files of which only a part can be read: what is missing is said, and does not pass as a shorter log."""

import gzip
from pathlib import Path

from tests.support.failover_logs import ingested

LOG = "".join(
    f"2026-03-02T09:00:{second:02d}+00:00 oak cron: {second * 7919 % 9973}\n" for second in range(60)
).encode()


def test_log_that_was_cut_or_damaged_where_it_is_compressed(tmp_path: Path) -> None:
    whole = gzip.compress(LOG, mtime=0)
    damaged = bytearray(whole)
    damaged[12] ^= 0xFF
    folder = tmp_path / "plain" / "run1" / "oak"
    folder.mkdir(parents=True)
    (folder / "a.log.gz").write_bytes(whole)
    (folder / "b.log.gz").write_bytes(gzip.compress(LOG.replace(b"oak", b"elm"), mtime=0)[: len(whole) // 2])
    (folder / "c.log.gz").write_bytes(bytes(damaged))
    store = ingested(tmp_path)
    assert store.rows("select parse_filename(path), status from source_file order by path") == [
        ("a.log.gz", "parsed"),
        ("b.log.gz", "parsed"),
        ("c.log.gz", "unreadable"),
    ]
    ((text,),) = store.rows("select text from finding where kind = 'damaged_file'")
    assert text.startswith("plain/run1/oak/b.log.gz was read in part: the compressed data end early after")
    ((text,),) = store.rows("select text from finding where kind = 'unread_file'")
    assert text.startswith("plain/run1/oak/c.log.gz was not read (unreadable): the compressed data are damaged after 0")
