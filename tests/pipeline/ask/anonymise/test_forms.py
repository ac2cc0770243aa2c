"""A secret that one place announces is gone from all places of the copy, in every form."""

import re
from base64 import b64encode
from urllib.parse import quote

import pytest

from pipeline.ask.anonymise.forms import any_form


@pytest.mark.parametrize(
    "text",
    [
        "Emu \"77'x",
        quote("Emu &77"),
        "-pEmu77Wild",
        b64encode(b"a:Emu77Wild").decode(),
        b64encode(b"ab:Emu77Wild:c").decode(),
        b"Emu77Wild".hex().upper(),
        "dump-Emu77Wild.sql",
        r"it\!sEmu",
    ],
)
def test_a_text_is_found_in_every_form(text: str) -> None:
    assert re.search(any_form(["Emu \"77'x", "Emu &77", "Emu77Wild", "it!sEmu"]), text)


def test_a_plain_word_is_found_as_a_whole_word_alone() -> None:
    assert re.findall(any_form(["tiger"]), "tiger tigers") == ["tiger"]
