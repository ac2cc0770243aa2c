"""What the prompt suggests."""

import pytest

from haledger.prompt.completion import suggestions
from pipeline.store.description import DescribedColumn, DescribedRelation

RELATIONS = (
    DescribedRelation(
        "main",
        "event",
        "view",
        "One row per message. Dated or not.",
        (DescribedColumn("at", "TIMESTAMP", "time, UTC"), DescribedColumn("text", "VARCHAR", "the message")),
    ),
    DescribedRelation("main", "run", "table", "One row per run.", (DescribedColumn("run", "VARCHAR", "its name"),)),
    DescribedRelation("log", "vcs_event", "table", "As parsed.", (DescribedColumn("tag", "VARCHAR", "severity"),)),
)


def suggested(statement: str) -> list[str]:
    """Suggestions at the bar that is in the statement."""
    before, _, after = statement.partition("|")
    return [each.text for each in suggestions(before, after, RELATIONS)]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        pytest.param("select * from |", ["event", "run", "log.vcs_event"], id="after from, every relation"),
        pytest.param("select * from run r left join ev|", ["event", "log.vcs_event"], id="those that begin so, first"),
        pytest.param("select * from log.|", ["log.vcs_event"], id="of a schema"),
        pytest.param("select e.| from event as e", ["at", "text"], id="columns of an alias"),
        pytest.param("select event.te| from event", ["text"], id="columns of a relation"),
        pytest.param("select | from event", [], id="nothing without a letter"),
        pytest.param("describe ru|", ["run"], id="describe"),
        pytest.param(".sch|", [".schema"], id="a command"),
        pytest.param(".schema ru|", ["run"], id="the relation of a command"),
        pytest.param(".tables ru|", [], id="a word to look for"),
    ],
)
def test_suggestions(statement: str, expected: list[str]) -> None:
    assert suggested(statement) == expected


def test_columns_of_what_the_statement_reads_come_before_words_of_sql() -> None:
    assert suggested("select te| from event")[0] == "text"
    assert suggested("select te|") == []
    assert "group by" in suggested("select count(*) from run gro|")


def test_a_column_with_the_name_of_a_word_of_sql_is_quoted() -> None:
    assert suggested("select a| from event")[0] == '"at"'


def test_a_suggestion_replaces_what_was_typed_and_says_what_it_is() -> None:
    (found,) = suggestions("select event.te", " from event", RELATIONS)
    assert (found.length, found.meaning) == (2, "the message")
    first = next(iter(suggestions("select * from ev", "", RELATIONS)))
    assert (first.length, first.meaning) == (2, "One row per message")
