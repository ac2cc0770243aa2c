"""A secret or name that one place announces is gone from all places of the copy, in every form."""

import json
from base64 import b64encode
from urllib.parse import quote

import pytest

from pipeline.ask.anonymise.names import Name
from pipeline.ask.anonymise.places import Kind
from pipeline.ask.anonymise.pseudonyms import Pseudonyms

SECRETS = ("Emu \"77'x", "Emu &77", "Emu77Wild", "it!sEmu")


@pytest.mark.parametrize(
    "text",
    [
        SECRETS[0],
        json.dumps(SECRETS[0]),
        quote(SECRETS[1]),
        "-pEmu77Wild",
        b64encode(b"a:Emu77Wild").decode(),
        "x=" + b64encode(b"ab:Emu77Wild:c").decode().rstrip("="),
        b"Emu77Wild".hex().upper(),
        "456d 7537 3757 696c 64",
        "dump-Emu77Wild.sql",
        r"it\!sEmu",
        "pangolin%2Dx7",
        r"pangolin\u002dx7",
        b64encode(b"user@pangolin-x7:1").decode(),
    ],
)
def test_a_text_is_found_in_every_form(text: str) -> None:
    replaced = Pseudonyms([Name(Kind.HOST, "pangolin-x7")], SECRETS).replaced(text)
    left = replaced.casefold()
    assert replaced != text
    assert not [each for each in ("emu", "pangolin", "456d", "rw11") if each in left]


def test_a_plain_word_is_found_as_a_whole_word_alone() -> None:
    assert Pseudonyms([], ["tiger"]).replaced("tiger tigers") == "masked tigers"


def test_words_in_base64_that_hold_no_name_stay() -> None:
    text = "Ab12Cd34Ef56Gh78 deadbeefcafe 0000 1f2e 3d4c NetworkManager"
    assert Pseudonyms([Name(Kind.HOST, "pangolin-x7")], SECRETS).replaced(text) == text
