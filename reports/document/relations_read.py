"""What the relations behind a report's tables mean: the comments that the store itself carries, no second wording."""

import re
from collections.abc import Iterable
from dataclasses import replace

from pipeline.store.description import DescribedRelation
from pipeline.store.relations import COMMENT, READ_RELATION, STRING

WORD = re.compile(r"\w+")


def relations_read(statements: Iterable[str], described: Iterable[DescribedRelation]) -> list[DescribedRelation]:
    """The public relations that statements read, by name; of their columns those that a statement names."""
    read: dict[str, set[str]] = {}
    for statement in statements:
        bare = STRING.sub("''", COMMENT.sub("", statement))
        words = set(WORD.findall(bare))
        for name in READ_RELATION.findall(bare):
            read.setdefault(name, set()).update(words)
    return [
        replace(each, columns=tuple(column for column in each.columns if column.name in read[each.name]))
        for each in described
        if each.schema == "main" and each.name in read
    ]
