"""What `haledger compare` is asked to compare: a configuration of the store here, or of a store that is named."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.discovery.entry_names import STORE_NAME
from pipeline.errors import UsageError
from pipeline.store.locate import find_store
from pipeline.store.store import opened
from pipeline.suggestions import close_names


@dataclass(frozen=True, slots=True)
class Side:
    """A configuration of a store, and how it was called."""

    name: str
    store: Path
    configuration: str


def is_one_each(studies: Iterable[Iterable[str]]) -> bool:
    """Whether each study has one configuration, so that these belong together whatever they are called."""
    return all(len(set(configurations)) == 1 for configurations in studies)


def require_labels(labels: Sequence[str], count: int, of: str) -> None:
    """Raise UsageError unless there is no label or one for each of `count` things."""
    if labels and len(labels) != count:
        raise UsageError(f"--label: {len(labels)} given; give one for each {of} ({count}), in their order, or none")


def labelled(found: tuple[Side, Side], labels: Sequence[str]) -> tuple[Side, Side]:
    """The two sides under the names that --label gives them, if it does."""
    require_labels(labels, len(found), "side")
    if not labels:
        return found
    return replace(found[0], name=labels[0]), replace(found[1], name=labels[1])


def sides(a: str, b: str, named: Path | None, here: Path) -> tuple[Side, Side]:
    """Find A and B. Raises UsageError where a name fits nothing, several things, or both the same."""
    found = _side(a, named, here), _side(b, named, here)
    if found[0].store.resolve() == found[1].store.resolve() and found[0].configuration == found[1].configuration:
        raise UsageError(f"{a} and {b} are the same configuration of the same store; name two different ones")
    return found


def _side(text: str, named: Path | None, here: Path) -> Side:
    """What a text means: a store or report folder, with `:configuration` if it has several, else a configuration."""
    is_path_named = _store_at(text, here)
    if is_path_named is not None:
        return _only(text, *is_path_named)
    store = find_store(named, here)
    known = _configurations(store)
    if text in known:
        return Side(text, store, text)
    by_label = [name for name, label in known.items() if text.casefold() in (name.casefold(), label.casefold())]
    if len(by_label) == 1:
        return Side(text, store, by_label[0])
    raise UsageError(_unknown(text, list(known), f"no configuration of {store}, and no store"))


def _store_at(text: str, here: Path) -> tuple[Path, str | None] | None:
    """The store that a text names, and the configuration after its colon; None where it names no store."""
    places: list[tuple[str, str | None]] = [(text, None)]
    places += [(text[:at], text[at + 1 :]) for at in range(len(text) - 1, 0, -1) if text[at] == ":"]
    for place, configuration in places:
        path = here / place
        try:
            if path.is_file() and path.suffix == ".duckdb":
                return path, configuration
            if (path / STORE_NAME).is_file():
                return path / STORE_NAME, configuration
        except (OSError, ValueError):  # a name that no file can have
            continue
    return None


def _only(text: str, store: Path, configuration: str | None) -> Side:
    known = _configurations(store)
    if configuration is None:
        with_runs = [name for name in known if name in _with_runs(store)]
        if len(with_runs) != 1:
            listing = ", ".join(with_runs) or "none"
            raise UsageError(f"{text}: which configuration? Name it as {text}:CONFIGURATION; it has: {listing}")
        return Side(text, store, with_runs[0])
    if configuration not in known:
        raise UsageError(_unknown(configuration, list(known), f"no configuration of {store}"))
    return Side(text, store, configuration)


def _unknown(text: str, known: list[str], what: str) -> str:
    near = close_names(text, known)
    advice = f"did you mean {near[0]}? " if near else ""
    return f"{text}: {what}; {advice}configurations: {', '.join(known) or 'none'}"


def _configurations(store: Path) -> dict[str, str]:
    """Labels by configuration, in the order of the tables."""
    with opened(store) as con:
        return dict(
            con.execute("select configuration, label from main.configuration_order order by position").fetchall()
        )


def _with_runs(store: Path) -> set[str]:
    """Configurations in which something was tested; others have configuration files only."""
    with opened(store) as con:
        return {each[0] for each in con.execute("select distinct configuration from main.run").fetchall()}
