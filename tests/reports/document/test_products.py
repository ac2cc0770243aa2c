"""Tables and figures on their own: in the order of the report, by name or by the number that pages print."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline.errors import UsageError
from reports.document.products import Kind, by_name_or_number, products, write_products
from reports.tables.model import Table


@pytest.mark.parametrize("kind", ["tables", "figures"])
def test_products_are_listed_as_they_are_numbered(make_store: Callable[..., Path], kind: Kind) -> None:
    labels = [each.label for each in products(make_store(), kind)]
    numbers = [int(label.split(" ")[1]) for label in labels]
    assert numbers == list(range(1, len(labels) + 1))


@pytest.mark.parametrize("wanted", ["table-3-7", "Table 3.7", "table 3.7", "table-3.7", " 3.7 "])
def test_a_table_is_found_by_what_the_page_calls_it(wanted: str) -> None:
    tables = {name: Table(name, "", (), (), label=label) for name, label in TABLES.items()}
    found = by_name_or_number(tables, wanted)
    assert found is not None
    assert found.name == "table-3-7"


@pytest.mark.parametrize("wanted", ["table-1", "Table 1", "table_1", "1"])
def test_a_table_is_found_by_its_number_as_people_write_it(wanted: str) -> None:
    tables = {name: Table(name, "", (), (), label=label) for name, label in TABLES.items()}
    assert by_name_or_number(tables, wanted) is tables["other"]


@pytest.mark.parametrize("wanted", ["", "Table", "7", "table-3", "Table 3.7a"])
def test_what_no_page_calls_a_table_is_none(wanted: str) -> None:
    tables = {name: Table(name, "", (), (), label=label) for name, label in TABLES.items()}
    assert by_name_or_number(tables, wanted) is None


TABLES = {"table-3-7": "Table 3.7", "other": "Table 1", "bare": ""}


def test_a_figure_is_written_by_its_number(make_store: Callable[..., Path], tmp_path: Path) -> None:
    store = make_store()
    (path,) = write_products(store, "figures", ["Figure 1"], ["csv"], tmp_path)
    assert path.stem == products(store, "figures")[0].name
    with pytest.raises(UsageError, match="Figure 99"):
        write_products(store, "figures", ["Figure 99"], ["csv"], tmp_path)
