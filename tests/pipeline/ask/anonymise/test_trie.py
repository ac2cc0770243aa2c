"""A pattern of many texts finds what each of them would find."""

import re
import time

from pipeline.ask.anonymise.trie import any_of, lowered, substituted


def test_the_longest_whole_word_is_found() -> None:
    pattern = any_of(["db1", "db1-hb", "d.b"])
    assert substituted(pattern, "DB1-hb xdb1 db12 d.b dxb db1_", lambda each: f"<{each}>") == (
        "<DB1-hb> xdb1 db12 <d.b> dxb <db1>_"
    )


def test_no_text_gives_no_pattern() -> None:
    assert any_of([]) is None
    assert substituted(None, "text", str.upper) == "text"


def test_lower_case_keeps_the_length() -> None:
    assert len(lowered("İx")) == 2


def test_time_does_not_grow_with_the_number_of_texts() -> None:
    text = "Mar  2 10:00:00 alder kernel: link is up and nothing else happens here\n" * 2000

    def seconds(count: int) -> float:
        pattern = any_of(f"host{number}x" for number in range(count))
        assert pattern is not None
        begin = time.process_time()
        assert not re.search(pattern, text)
        return time.process_time() - begin

    assert seconds(20_000) < 20 * max(seconds(20), 0.001)
