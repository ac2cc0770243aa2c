"""How the folders of a study were interpreted: a sentence for each group of them, with the reason."""

from collections.abc import Iterator, Sequence

from pipeline.ask.explain.decisions import Explanation
from reports.typeset.text import enumerated

MOST_NAMED = 3
MOST_SENTENCES = 8
"""Of each kind; folders with other names in every run have a sentence each."""


def interpretations(files: Sequence[Explanation]) -> list[str]:
    """What the folders of a study are and why: nodes, copies, runs, configurations."""
    placed = [each for each in files if each.configuration is not None]
    return [
        *_given(placed, "folders"),
        *_given(placed, "copy"),
        *_runs(placed),
        *_configurations(placed),
    ]


def _given(files: Sequence[Explanation], key: str) -> Iterator[str]:
    """Sentences that the assignment itself gives."""
    found = list(dict.fromkeys(each.sources[key] for each in files if key in each.sources))
    yield from (f"{text}." for text in found[:MOST_SENTENCES])
    if len(found) > MOST_SENTENCES:
        yield f"{len(found) - MOST_SENTENCES} more groups of folders likewise."


def _runs(files: Sequence[Explanation]) -> Iterator[str]:
    runs = sorted({each.run for each in files if each.run and each.sources.get("run", "").startswith("folder")})
    if runs:
        is_or_are = "is taken as a run because its name is" if len(runs) == 1 else "are taken as runs because they are"
        yield f"{_few(runs)} {is_or_are} a date, a number or a word such as run or test with one."


def _configurations(files: Sequence[Explanation]) -> Iterator[str]:
    named = [each for each in files if each.sources.get("configuration", "").startswith("folder")]
    found = sorted({each.configuration or "" for each in named})
    if found:
        is_or_are = "is taken as a configuration" if len(found) == 1 else "are taken as configurations"
        left = "it is" if len(found) == 1 else "they are"
        yield f"{_few(found)} {is_or_are} because {left} what the path holds besides runs and nodes."


def _few(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMED + 1:
        return f"{', '.join(names[:MOST_NAMED])} and {len(names) - MOST_NAMED} others"
    return enumerated(names)
