"""Names that the store here knows, for the completion of a shell: read in a moment, and nothing where that fails."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

CONFIGURATIONS: Final = "select configuration from main.configuration_order order by position"
RELATIONS: Final = (
    "select view_name from duckdb_views() where schema_name = 'main' and not internal"
    " union select table_name from duckdb_tables() where schema_name = 'main' order by all"
)
MEASURED: Final = (
    "select milestone from main.milestone_stats union select metric from main.measurement_stats order by all"
)


def complete_configurations(ctx: typer.Context, incomplete: str) -> list[str]:
    """Configurations of the store."""
    return _beginning(incomplete, lambda: _asked(ctx, CONFIGURATIONS))


ConfigurationName = Annotated[
    str,
    typer.Argument(
        metavar="CONFIGURATION", help="A configuration, by name or label.", autocompletion=complete_configurations
    ),
]


def complete_measured(ctx: typer.Context, incomplete: str) -> list[str]:
    """Milestones and measurements of the first store that is named."""
    return _beginning(incomplete, lambda: _asked(ctx, MEASURED))


def complete_tables(ctx: typer.Context, incomplete: str) -> list[str]:
    """Tables of the report folder that the store lies in."""
    return _beginning(incomplete, lambda: _products(ctx, "tables"))


def complete_figures(ctx: typer.Context, incomplete: str) -> list[str]:
    """Its figures."""
    return _beginning(incomplete, lambda: _products(ctx, "figures"))


def complete_traced(ctx: typer.Context, incomplete: str) -> list[str]:
    """Tables of the report folder, then relations of the store."""
    return _beginning(incomplete, lambda: [*_products(ctx, "tables"), *_asked(ctx, RELATIONS)])


def _beginning(incomplete: str, names: Callable[[], list[str]]) -> list[str]:
    """The names that go on as the text does. A shell has no place for an error: without a store there is no name."""
    try:
        return [each for each in names() if each.startswith(incomplete)]
    except Exception:  # noqa: BLE001  a store that cannot be read has no names
        return []


def _products(ctx: typer.Context, kind: str) -> list[str]:
    files = (_store(ctx).parent / kind).glob("*.csv")
    return sorted(each.stem for each in files)


def _asked(ctx: typer.Context, query: str) -> list[str]:
    return list(_read(_store(ctx), query))


def _read(store: Path, query: str) -> Iterator[str]:
    import duckdb

    with duckdb.connect(str(store), read_only=True) as con:
        yield from (name for (name,) in con.execute(query).fetchall())


def _store(ctx: typer.Context) -> Path:
    from pipeline.store.locate import find_store

    stores = ctx.params.get("stores") or ()
    named = ctx.params.get("db") or next(iter(stores), None)
    return find_store(Path(named) if named else None, Path.cwd())
