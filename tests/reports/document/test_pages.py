"""Sentences of a page in which names are marked."""

import pytest

from reports.document.pages import ticked


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        pytest.param("`run` and `run02` are", "<code>run</code> and <code>run02</code> are", id="names"),
        pytest.param(
            "Runs of \u201ca` b\u201d, as `run` says",
            "Runs of \u201ca` b\u201d, as <code>run</code> says",
            id="a label's own back tick",
        ),
        pytest.param("a ` b", "a ` b", id="a back tick alone"),
        pytest.param("`<b>`", "<code>&lt;b&gt;</code>", id="markup"),
    ],
)
def test_names_are_set_as_code_and_quotations_are_left_alone(text: str, marked: str) -> None:
    assert ticked(text) == marked
