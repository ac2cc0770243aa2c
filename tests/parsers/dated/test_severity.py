import polars as pl
import pytest

from parsers.dated.severity import level, severity


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("ERROR [main] a", "err"),
        ("[main] WARN  a.B - c", "warning"),
        ("level=debug msg=x", "debug"),
        ("[error] 12#0: no", "err"),
        ("<Warning> <x> no", "warning"),
        ("I | raft: x", "info"),
        ("Fehler: nein", "err"),
        ("a sentence on an error of a kind", None),
        ("GET /error 200", None),
    ],
)
def test_words_near_the_stamp(said: str, expected: str | None) -> None:
    frame = pl.DataFrame(
        {"before": "", "said": said, "below": None, "letter": None},
        schema_overrides={"below": pl.String, "letter": pl.String},
    )
    found = frame.select(severity(pl.col("before"), pl.col("said"), pl.col("below"), pl.col("letter")).alias("x"))
    assert found.item() == expected


def test_words_of_several_languages() -> None:
    words = ["Kritisch", "Erreur", "Advertencia", "Avviso", "Informações", "エラー", "信息", "Предупреждение", "?"]
    levels = ["crit", "err", "warning", "warning", "info", "err", "info", "warning", None]
    assert pl.DataFrame({"x": words}).select(level(pl.col("x")))["x"].to_list() == levels
