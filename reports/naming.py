"""What a table or figure of the report is called."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Naming:
    """What a table or figure is called: file name, caption (None: the usual one), the study's own number."""

    name: str
    caption: str | None = None
    label: str = ""
