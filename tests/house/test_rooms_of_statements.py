"""Rooms of statements read one way, as imports do, and a statement can be read on a few screens."""

from collections import defaultdict

from pipeline.store import relations

MOST_LINES = 300


def test_no_two_rooms_of_statements_read_each_other() -> None:
    files = [file for file in relations.SQL_FOLDER.rglob("*.sql") if "findings" not in file.parts]
    rooms = {file.stem: file.relative_to(relations.SQL_FOLDER).parts[0] for file in files}
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for each in relations.catalogue():
        for name in each.reads & rooms.keys():
            if each.name in rooms and rooms[name] != rooms[each.name]:
                found[rooms[each.name], rooms[name]].add(f"{each.name} reads {name}")
    both = {pair: found[pair] | found[pair[::-1]] for pair in found if pair[::-1] in found}
    assert both == {}


def test_every_statement_is_short() -> None:
    lines = {file.name: len(file.read_text().splitlines()) for file in relations.SQL_FOLDER.rglob("*.sql")}
    assert {name: count for name, count in lines.items() if count > MOST_LINES} == {}
