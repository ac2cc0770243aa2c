"""What a file gives depends on nothing but the file: neighbours, order, cuts, threads and history change no cell."""

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest

from parsers.format import formats
from parsers.star import flat
from pipeline import parallel
from pipeline.ingest.ingest import ingest
from pipeline.reading import file_reading
from pipeline.reading.lines import chunks
from pipeline.reading.unit import Result, Work, run
from tests.support.open_reports import rest_of
from tests.support.same_rows import different
from tests.support.seeds import frame, seeds

MUTATIONS = int(os.environ.get("HALEDGER_MUTATIONS", "2"))
"""Spoilt texts of each format besides its seeds."""

CUTS = int(os.environ.get("HALEDGER_CUTS", "6"))
"""Places at which each text is cut; 0: all."""

Cells = dict[str, list[tuple[object, ...]]]


def of_file(result: Result, file_id: int) -> Cells:
    """All that a unit gives of a file, hosts and stamps among it, without the number of the file."""
    shown = result.shown
    stamps = [] if shown.stamps is None else shown.stamps.filter(file_id=file_id).drop("file_id").rows()
    cells: Cells = {
        name: flat(rows).filter(file_id=file_id).drop("file_id").sort("line_no", "part").rows()
        for name, rows in result.tables.items()
    }
    cells["rejected"] = result.rejected.filter(file_id=file_id).drop("file_id").rows()
    cells["verdicts"] = [each[1:] for each in shown.verdicts if each[0] == file_id]
    cells["rows"] = sorted(each[1:] for each in shown.rows if each[0] == file_id)
    cells["hosts"] = [each[1:] for each in shown.hosts if each[0] == file_id]
    cells["dates"] = [(shown.dates[file_id].as_json(),)] if file_id in shown.dates else []
    return {name: rows for name, rows in cells.items() if rows} | {"stamps": stamps}


def spoilt(texts: tuple[str, ...], chance: random.Random) -> str:
    """One of some texts with lines and characters lost, doubled, changed."""
    lines = chance.choice(texts).split("\n")
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(lines))
        kind = chance.randrange(6)
        if kind == 0:
            lines.insert(at, chance.choice(lines))
        elif kind == 1 and len(lines) > 1:
            del lines[at]
        elif kind == 2:
            lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
        elif kind == 3:
            lines[at] = lines[at].replace(
                chance.choice("0123456789 ,.;:"), chance.choice(["", "9", "x", "\t", "nan", "1k"]), 1
            )
        elif kind == 4:
            other = chance.choice(chance.choice(texts).split("\n"))
            place = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:place] + other[place:]
        else:
            lines[at] = chance.choice(chance.choice(texts).split("\n"))
    return "\n".join(lines) + "\n"


def texts_of(name: str) -> list[str]:
    chance = random.Random(name)  # noqa: S311  no secret
    return [*seeds()[name], *(spoilt(seeds()[name], chance) for _ in range(MUTATIONS))]


def test_every_format_has_seeds() -> None:
    assert set(seeds()) == set(formats())


@pytest.mark.parametrize("name", sorted(formats()))
def test_a_file_gives_the_same_beside_any_other_in_any_order(name: str) -> None:
    texts = texts_of(name)
    alone = [of_file(run(Work(name, frame(text, 1))), 1) for text in texts]
    chance = random.Random(name)  # noqa: S311  no secret
    orders = [chance.sample(range(len(texts)), len(texts)) for _ in range(2)]
    orders += [chance.sample(range(len(texts)), 2) for _ in texts[::2] if len(texts) > 1]
    for order in orders:
        beside = run(Work(name, pl.concat(frame(texts[at], number) for number, at in enumerate(order, 1))))
        for number, at in enumerate(order, 1):
            assert of_file(beside, number) == alone[at], f"{name}: text {at} of the order {order}"


@pytest.mark.parametrize("name", [name for name, each in sorted(formats().items()) if each.boundary is not None])
def test_a_file_cut_at_a_boundary_gives_the_same(name: str) -> None:
    parser = formats()[name]
    chance = random.Random(name)  # noqa: S311  no secret
    for text in texts_of(name):
        lines = frame(text, 1)
        whole = of_file(run(Work(name, lines)), 1)
        cuts = [each for each in lines["text"].str.contains(str(parser.boundary)).arg_true().to_list() if each]
        for cut in cuts if not CUTS or len(cuts) <= CUTS else chance.sample(cuts, CUTS):
            spans = [run(Work(name, part, span_of=1)) for part in (lines[:cut], lines[cut:])]
            assert joined([*spans, *rest_of(name, spans)]) == {key: whole[key] for key in whole if key not in MERGED}, (
                name,
                cut,
                lines["text"][cut],
            )


MERGED = ("verdicts", "rows", "hosts", "stamps")
"""What is added up over the spans of a file; the others are put one after the other."""


def joined(results: list[Result]) -> Cells:
    cells: Cells = {}
    for result in results:
        for name, rows in of_file(result, 1).items():
            if name not in MERGED:
                cells.setdefault(name, []).extend(rows)
    return cells


# --- the whole ingest ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def without_views() -> Iterator[None]:
    """What relations are computed from decides; they are the same function of it each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.store.relations.fill", lambda _, **__: None)
        yield


def study_of(root: Path) -> Path:
    """A file of every format, and a second one of some, each in a run of its own."""
    for position, (name, texts) in enumerate(sorted(seeds().items())):
        for number, text in enumerate(texts[: 1 + (position % 4 == 0)]):
            file = root / "all" / f"run{number + 1:02d}" / "n1" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
    declared = "".join(f'[[files]]\nmatch = "**/{name}*"\nformat = "{name}"\nyear = 2003\n' for name in seeds())
    (root / "study.toml").write_text(f'[study]\ntimezone = "UTC"\n\n{declared}')
    return root


OF_THE_INGEST = {"log.file_ledger", "main.store_info"}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The study and its store."""
    root, db = study_of(tmp_path_factory.mktemp("study")), tmp_path_factory.mktemp("store") / "a.duckdb"
    ingest(root, db)
    return root, db


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_threads_and_chunks_change_no_cell(
    threads: int, fresh: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(parallel, "THREADS", threads)
    monkeypatch.setattr(file_reading, "MAX_FILES", 1)
    monkeypatch.setattr(file_reading, "chunk_bytes", lambda _: 2_000)
    monkeypatch.setattr(chunks, "__kwdefaults__", {"chunk_bytes": 2_000, "max_chunk_bytes": 80_000})
    ingest(fresh[0], tmp_path / "a.duckdb")
    assert set(different(fresh[1], tmp_path / "a.duckdb")) <= OF_THE_INGEST


HISTORIES = ("append", "truncate", "rotate", "replace", "come", "go")


@pytest.mark.parametrize("turn", range(int(os.environ.get("HALEDGER_TURNS", "2"))))
def test_no_history_changes_a_cell(turn: int, tmp_path: Path) -> None:
    """A store that followed a study through changes is that of the study as it is now. They differ by format."""
    study, db = tmp_path / "study", tmp_path / "a.duckdb"
    study_of(study)
    changes = [
        (study / "all" / "run01" / "n1" / name, texts, HISTORIES[(number + turn) % len(HISTORIES)])
        for number, (name, texts) in enumerate(sorted(seeds().items()))
    ]
    for file, _, history in changes:
        file.with_name(f"{file.name}-empty").touch()  # a declaration must fit a file
        if history == "come":
            file.rename(tmp_path / file.name)
    ingest(study, db)
    for file, texts, history in changes:
        if history == "append":
            file.write_text(file.read_text() + texts[-1])
        elif history == "truncate":
            file.write_text("".join(file.read_text().splitlines(keepends=True)[:3]))
        elif history == "rotate":
            shutil.copy(file, file.with_name(f"{file.name}.1"))
            file.write_text(texts[-1])
        elif history == "replace":
            file.write_text(texts[len(texts) // 2])
        elif history == "come":
            (tmp_path / file.name).rename(file)
        else:
            file.unlink()
    ingest(study, db)
    ingest(study, tmp_path / "b.duckdb")
    assert set(different(tmp_path / "b.duckdb", db)) <= OF_THE_INGEST
