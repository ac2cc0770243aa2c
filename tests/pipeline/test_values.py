"""What a worker answers is data: nothing that it sends runs where the command is given."""

import os
import pickle
from datetime import datetime
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from distributed import KilledWorker, client
from distributed.protocol import core
from distributed.protocol import pickle as messages
from distributed.protocol.serialize import ToPickle, to_serialize

from parsers.format import Verdict
from parsers.star import Star
from pipeline.cluster import Unknown, _let_workers_run_nothing, unpickled
from pipeline.failure import Failure
from pipeline.reading.file_facts import FileFacts, Range
from pipeline.values import NotDataError, as_data, from_data


class Evil:
    """Makes a folder where it is unpickled."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self._place),)


def test_what_is_answered_comes_back_as_it_was() -> None:
    facts = FileFacts("parsed", refusals=(("syslog", "no stamp", 3),), own_hosts={"sun-ha4": 2}, prefixes=("a",))
    value = {
        7: [None, True, 2**70, 0.1, float("inf"), "\udcff\x1b", (1, ("x",)), {3}, frozenset({"y"})],
        ("a", 1): [Path("/a"), datetime(2026, 3, 2, 10, 0, 0, 7), Verdict.PARSED],  # noqa: DTZ001  a wall clock
        "own": [facts, Failure(None, "why"), Range(1, 2, "words")],
    }
    assert from_data(as_data(value)) == value


def test_frames_come_back_with_their_types() -> None:
    frame = pl.DataFrame(
        {"at": [datetime(2026, 3, 2)], "texts": [["a", None]], "number": [0.1 + 0.2], "none": [None]},  # noqa: DTZ001  a wall clock
        schema_overrides={"at": pl.Datetime("us"), "none": pl.UInt32()},
    )
    found = from_data(as_data([frame, Star(frame, {"message": frame.clear()}, ("at",))]))
    assert found[0].equals(frame)
    assert found[0].schema == frame.schema
    assert found[1].lines.equals(frame)
    assert found[1].dimensions["message"].schema == frame.schema


@pytest.mark.parametrize(
    "tree",
    [
        '[["pathlib:Path"], {"0": ["/a"]}]',
        '[["signal:Signals"], {"0": "SIGINT"}]',
        '[["pipeline.values:json"], {"0": []}]',
        '[["pipeline.child:Child"], {"0": []}]',
        '[["pipeline.failure:Failure"], {"0": []}]',
        '[["pipeline.no_such"], 0]',
        '[["frame"], {"0": 0}]',
        '[["eval"], {"0": "1"}]',
        '[[], {"0": 1}]',
        "[" * 100_000,
        "",
    ],
)
def test_anything_else_is_refused(tree: str) -> None:
    whole = as_data(0)[:8] + len(tree).to_bytes(8) + tree.encode()
    for content in (whole, whole[:5], pickle.dumps(tree), b"\xff" * 8):
        with pytest.raises(NotDataError):
            from_data(content)


@pytest.mark.parametrize("wrap", [ToPickle, to_serialize])
def test_messages_of_dask_run_nothing(wrap: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (client, messages):
        monkeypatch.setattr(place, "loads", place.loads)
    monkeypatch.setattr(client.Client, "_default_event_handlers", {})
    message = core.dumps({"result": wrap(Evil(tmp_path / "evil"))})
    _let_workers_run_nothing()
    core.loads(message)  # type: ignore[no-untyped-call]  # Dask has no types
    assert not (tmp_path / "evil").exists()
    killed = KilledWorker("task", Unknown(), 3)  # type: ignore[arg-type]  # of any kind
    assert isinstance(unpickled(pickle.dumps(killed)), KilledWorker)
