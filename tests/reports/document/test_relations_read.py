from pipeline.store.description import DescribedColumn, DescribedRelation
from reports.document.relations_read import relations_read


def described(schema: str, name: str, *columns: str) -> DescribedRelation:
    return DescribedRelation(
        schema, name, "view", f"One row per {name}.", tuple(DescribedColumn(each, "integer", each) for each in columns)
    )


STORE = [described("main", "run", "run", "used"), described("main", "milestone", "run"), described("log", "run", "x")]


def test_relations_that_statements_read_come_with_the_columns_they_name() -> None:
    found = relations_read(["select used from main.run as r where r.used", "select run from run"], STORE)
    assert [(each.schema, each.name, [column.name for column in each.columns]) for each in found] == [
        ("main", "run", ["run", "used"])
    ]


def test_words_in_texts_and_comments_name_nothing() -> None:
    assert relations_read(["select 'from milestone' as used -- join run"], STORE) == []
