"""The pages of docs/ say what is so: generated ones are up to date, and what the others show was run."""

from pathlib import Path

import pytest
from PIL import Image

from docs import cli_page, formats_page, gallery, relations_page, worked_pages
from docs.ha_reference import markdown
from haledger.command import commands
from parsers.messages.ha_rule import KINDS, rules

DOCS = Path(__file__).parents[3] / "docs"
ADVICE = "run `make docs`"


def text(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def relations() -> str:
    return relations_page.markdown()


def test_every_relation_has_one_section_and_every_column_a_meaning(relations: str) -> None:
    headings = [line for line in relations.splitlines() if line.startswith("### ")]
    assert len(headings) == len(set(headings)) > 100
    rows = [line.replace("\\|", "") for line in relations.splitlines() if line.startswith("| `")]
    assert [row for row in rows if row.count("|") != 4 or row.endswith("|  |")] == []


def test_reference_of_commands_is_up_to_date() -> None:
    assert text("cli.md") == cli_page.markdown(), ADVICE
    assert [each.name for each in commands() if f"## haledger {each.name}\n" not in text("cli.md")] == []


def test_list_of_formats_is_up_to_date() -> None:
    assert text("formats.md") == formats_page.markdown(), ADVICE


def test_cookbook_has_twenty_statements_with_their_results() -> None:
    found = list(worked_pages.blocks(worked_pages.COOKBOOK))
    assert len(found) == 20
    assert [each.code for each in found if not each.printed or "(0 rows)" in each.printed] == []


@pytest.mark.slow
def test_statements_of_the_cookbook_print_what_it_says(tmp_path: Path) -> None:
    assert text("cookbook.md") == worked_pages.cookbook(worked_pages.COOKBOOK, tmp_path), ADVICE


@pytest.mark.slow
def test_commands_of_the_tutorial_print_what_it_says(tmp_path: Path) -> None:
    assert text("tutorial.md") == worked_pages.tutorial(worked_pages.TUTORIAL, tmp_path), ADVICE
    pages = [
        programs for each in worked_pages.blocks(worked_pages.TUTORIAL) if (programs := worked_pages.missing(each))
    ]
    assert (tmp_path / "paper" / "client-outage.tex").is_file()
    if pages:
        pytest.skip(f"the paper itself was not set: {pages[0][0]} is not installed")
    assert (tmp_path / "paper" / "paper.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.slow
@pytest.mark.parametrize("page", worked_pages.GUIDES, ids=lambda page: page.stem)
def test_commands_of_a_guide_print_what_it_says(page: Path, tmp_path: Path) -> None:
    assert page.read_text(encoding="utf-8") == worked_pages.tutorial(page, tmp_path), ADVICE
    commands = [
        line for each in worked_pages.blocks(page) for line in each.code.splitlines() if line.startswith("haledger ")
    ]
    assert len(commands) <= 10
    assert list(tmp_path.glob("paper/*.tex"))
    assert list(tmp_path.glob("sheets/*.xlsx"))


def test_a_result_that_differs_is_put_in(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n\n```sql x\nselect 1\n```\n\n```text\nold\n```\n\n```sh\ntrue\n```\n\nb\n", encoding="utf-8")
    assert [(each.note, each.printed) for each in worked_pages.blocks(page)] == [("x", "old\n"), ("", None)]
    new = worked_pages.filled(page, lambda block: f"new {block.language}\n")
    assert new == "a\n\n```sql x\nselect 1\n```\n\n```text\nnew sql\n```\n\n```sh\ntrue\n```\n\nb\n"


def test_the_page_is_what_the_samples_give() -> None:
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.page()


def test_every_sample_has_a_picture_and_none_is_left_over() -> None:
    assert {path.stem for path in gallery.PICTURES.glob("*.png")} == {study.name for study in gallery.samples()}


def test_the_pictures_are_small() -> None:
    assert sum(path.stat().st_size for path in gallery.PICTURES.iterdir()) < 3_000_000


def test_pages_stand_side_by_side() -> None:
    sheets = [Image.new("RGB", (gallery.PAGE_WIDTH, height), (255, 255, 255)) for height in (600, 650)]
    found = gallery.beside(sheets)
    assert found.size == (2 * gallery.PAGE_WIDTH + 3 * gallery.GAP, 650 + 2 * gallery.GAP)


def test_every_rule_and_every_kind_has_its_line() -> None:
    lines = markdown().splitlines()
    assert [rule.id for rule in rules() if not any(line.startswith(f"| `{rule.id}` |") for line in lines)] == []
    assert [kind for kind in KINDS if not any(line.startswith(f"| `{kind}` |") for line in lines)] == []


def test_every_row_of_a_table_has_as_many_cells_as_its_heading() -> None:
    counts: list[int] = []
    for line in markdown().splitlines():
        cells = line.replace("\\|", "").count("|")
        counts = [*counts, cells] if cells else []
        assert len(set(counts)) <= 1, line
