"""The look that a study asks for: its logo, its colour, the words of its date."""

import base64
import re
from datetime import date
from typing import Final

from markupsafe import Markup

from pipeline.study.branding_options import LEAST_CONTRAST, contrast, is_png
from reports.typeset.text import visible

DARK_PAPER: Final = "#16181a"  # --paper of screen.css where it is dark
DAY: Final = re.compile(r"(?<![0-9])([0-9]{4})-([0-9][0-9])-([0-9][0-9])(?![0-9])")

MONTHS: Final = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
}
ORDER: Final = {"de": "{day}. {month} {year}", "es": "{day} de {month} de {year}", "pt": "{day} de {month} de {year}"}
PLAIN: Final = "{day} {month} {year}"


def colours(accent: str | None, *, is_print: bool) -> str:
    """The style rules of a study's colour; none without one. On dark paper it is as light as reading needs."""
    if accent is None:
        return ""
    rule = f":root {{ --accent: {accent}; }}"
    if is_print:
        return rule
    light = next(each for each in _lightened(accent) if contrast(each, DARK_PAPER) >= LEAST_CONTRAST)
    return f"{rule}\n@media screen and (prefers-color-scheme: dark) {{ :root {{ --accent: {light}; }} }}"


def _lightened(colour: str) -> list[str]:
    """The colour mixed with more and more white."""
    channels = [int(colour[place : place + 2], 16) for place in (1, 3, 5)]
    return ["#" + "".join(f"{each + (255 - each) * step // 20:02x}" for each in channels) for step in range(21)]


def picture(logo: bytes | None, name: str) -> Markup:
    """The logo as an image that carries its data, with the name of whose it is; empty without one."""
    if not logo:
        return Markup("")
    kind = "image/png" if is_png(logo) else "image/svg+xml"
    data = base64.b64encode(logo).decode("ascii")
    return Markup('<img alt="{}" src="data:{};base64,{}">').format(f"Logo: {visible(name)}", kind, data)


def date_in(language: str | None, declared: str) -> str:
    """A text whose days, such as 2004-02-04, are written out in a language; as it is without one."""
    if language is None:
        return declared
    months = MONTHS[language].split()

    def written(found: re.Match[str]) -> str:
        try:
            day = date(*map(int, found.groups()))
        except ValueError:
            return found[0]
        return ORDER.get(language, PLAIN).format(day=day.day, month=months[day.month - 1], year=day.year)

    return DAY.sub(written, declared)
