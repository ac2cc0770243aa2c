"""Figures for a narrow screen: what gets narrower, what moves with it, and what is left as it is."""

import json
import re
from typing import Any

from reports.figures.marks import described, names_down, numbers_along, silent, words
from reports.figures.model import LABEL_WIDTH, TEXT_WIDTH, Figure, Spec, specification, wrapped
from reports.figures.narrow import NARROW_LABEL_WIDTH, NARROW_WIDTH, narrowed
from reports.figures.picture import MISSING_CHARACTERS, OPENING, missing, narrow_svg, svg

LABEL = "Eighty-six file systems on clustered storage"
WIDTH = TEXT_WIDTH - LABEL_WIDTH - 100


def bars(width: int = WIDTH, beside: int = WIDTH + 10, label: str = LABEL) -> Spec:
    """A bar for one name, with its value right of the plot."""
    y, x = names_down([wrapped(label)]), numbers_along("seconds", 0, 10, 8)
    values = [{"configuration": wrapped(label), "low": 0, "high": 7, "printed": "7 s", "description": f"{label}: 7 s"}]
    return specification(
        width=width,
        height={"step": 24, "for": "position"},
        layer=[
            described(values, "bar", {"y": y, "x": {**x, "field": "low"}, "x2": {"field": "high"}}),
            words(values, "printed", {"y": y}, x=beside),
        ],
    )


def found(spec: Spec | None, key: str) -> list[Any]:
    """Every value of a key, from the outside in."""
    values: list[Any] = []

    def hook(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values.extend(value for name, value in pairs if name == key)
        return dict(pairs)

    json.loads(json.dumps(spec), object_pairs_hook=hook)
    return values


def test_names_and_plot_share_the_smaller_width() -> None:
    spec = narrowed(bars())
    assert spec is not None
    assert spec["width"] == WIDTH - (TEXT_WIDTH - NARROW_WIDTH) + LABEL_WIDTH - NARROW_LABEL_WIDTH
    assert set(found(spec, "maxExtent")) == {NARROW_LABEL_WIDTH - 8}
    assert WIDTH + 10 - WIDTH + spec["width"] in found(spec, "x")
    assert max(found(spec, "tickCount")) == 4
    assert min(found(spec, "labelFontSize")) > 10.5


def test_words_left_of_panels_are_headings_above_them() -> None:
    x = numbers_along("ms", 0, 10, 8)
    values = [{"label": ["Eighty-six", "pages"], "name": "Eighty-six pages"}]
    panel = {
        "width": TEXT_WIDTH - LABEL_WIDTH,
        "height": 40,
        "layer": [
            described([{"low": 1, "description": "1 ms"}], "bar", {"x": {**x, "field": "low"}}),
            words(values, "label", {}, x=4 - LABEL_WIDTH, y=20),
        ],
    }
    titled = {**panel, "title": {"text": "A link", "dx": 4 - LABEL_WIDTH}}
    spec = narrowed(specification(vconcat=[titled, panel]))
    assert spec is not None
    first, second = spec["vconcat"]
    assert (first["title"]["text"], first["title"]["subtitle"], first["title"]["dx"]) == (
        ["A link"],
        ["Eighty-six pages"],
        0,
    )
    assert second["title"]["text"] == ["Eighty-six pages"]
    assert [len(each["layer"]) for each in (first, second)] == [1, 1]
    assert TEXT_WIDTH - LABEL_WIDTH - 60 < first["width"] < NARROW_WIDTH


def test_a_plot_leaves_room_for_words_that_hang_over_its_edge() -> None:
    wide = bars()
    wide["layer"][1]["data"]["values"][0]["printed"] = "seven seconds and a half"
    drawn = narrow_svg(Figure("f", "A caption", "words", wide, (), ()))
    opening = OPENING.search(drawn)
    assert opening is not None
    assert float(opening["width"]) <= 450


def test_names_are_the_same_in_the_data_and_on_the_axis_and_fit_their_rows() -> None:
    spec = narrowed(bars())
    assert spec is not None
    (name,) = set(found(spec, "configuration"))
    assert name.replace("\n", " ") == LABEL
    assert max(map(len, name.split("\n"))) <= 17
    assert {each for names in found(spec, "sort") for each in names} == {name}
    assert spec["height"]["step"] >= 13 * len(name.split("\n"))
    assert f"{LABEL}: 7 s" in found(spec, "description")


def test_what_has_fixed_places_keeps_its_width() -> None:
    assert narrowed(specification(width=TEXT_WIDTH, height=90, layer=[{"mark": "rect"}])) is None
    assert narrowed(bars(beside=-20)) is None  # words left of the plot, where no axis makes room
    assert narrowed(specification(mark="rect")) is None


def test_what_is_a_picture_to_a_reader_has_words() -> None:
    tags = re.findall(r'<[^>]* role="img"[^>]*>', svg(Figure("f", "Caption", "Description", bars(), ("a",), ((1,),))))
    assert tags
    assert all(" aria-label=" in tag for tag in tags)


def test_the_picture_is_narrow_and_the_wide_one_is_not_changed() -> None:
    figure = Figure("f", "Caption", "Description", bars(), ("a",), ((1,),))
    before = svg(figure)
    narrow = OPENING.search(narrow_svg(figure))
    wide = OPENING.search(before)
    assert narrow is not None
    assert wide is not None
    assert float(narrow["width"]) < 450 < float(wide["width"])
    assert svg(figure) == before
    assert narrow_svg(Figure("f", "c", "d", bars(beside=-20), ("a",), ((1,),))) == ""


def test_a_long_title_and_wide_letters_are_set_on_lines() -> None:
    values = [{"configuration": "\u65e2" * 16, "low": 0, "high": 7, "printed": "7 s", "description": "7 s"}]
    spec = bars() | {"title": {"text": "Name-without-a-blank-" * 5, "dx": -LABEL_WIDTH}}
    spec["layer"][0]["data"]["values"] = values
    narrow = narrowed(spec)
    assert narrow is not None
    assert narrow["title"]["text"] == ["Name-without-a-blank-Name-without-a-blank-"] * 2 + ["Name-without-a-blank-"]
    assert {"\n".join(["\u65e2" * 8] * 2)} < set(found(narrow, "configuration"))


def test_long_names_in_characters_beyond_16_bits_are_drawn() -> None:
    label = "\U0001d56c\U0001f3f3\ufe0f\u200d\U0001f308" * 60
    figure = Figure("f", "c", "d", bars(label=label), ("a",), ((1,),))
    assert svg(figure).count("\U0001d56c") > 20
    assert "\\u" not in svg(figure)
    assert narrow_svg(figure)


def test_the_reason_for_a_missing_figure_stays_in_its_box() -> None:
    drawn = missing(Figure("f", "c", "d", {}, (), ()), "ValueError: no such thing " * 20)
    (text,) = re.findall(r"<text[^>]*>([^<]*)</text>", drawn)
    assert len(text) <= MISSING_CHARACTERS


def test_of_counts_that_would_cover_each_other_the_one_of_the_greatest_share_is_drawn() -> None:
    x = {"field": "lo", "type": "quantitative", "scale": {"type": "log", "domain": [0.1, 1000]}}
    y = {"field": "share", "type": "quantitative", "scale": {"domain": [0, 140]}}
    values = [
        {"lo": 1, "share": 40, "printed": "2661"},
        {"lo": 2, "share": 38, "printed": "1777"},
        {"lo": 4, "share": 100, "printed": "3130"},  # above the others
        {"lo": 100, "share": 38, "printed": "12"},
    ]
    counts = silent(values, "text", {"x": x, "y": y, "text": {"field": "printed"}}, baseline="bottom", fontSize=9.5)
    spec = narrowed(specification(vconcat=[{"width": WIDTH, "height": 40, "layer": [counts]}]))
    assert spec is not None
    (drawn,) = spec["vconcat"][0]["layer"]
    assert [each["printed"] for each in drawn["data"]["values"]] == ["2661", "3130", "12"]
