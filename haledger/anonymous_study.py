"""What `--anonymise` does before a study is read."""

from pathlib import Path
from typing import TYPE_CHECKING

from haledger.options import refuse_unusable, writing
from haledger.terminal import Talk, progress
from pipeline.discovery.address import Address, output_name
from pipeline.errors import CheckFailedError

if TYPE_CHECKING:
    from pipeline.ask.anonymise.anonymise import Anonymised

SHOWN_WORDS = 8


def anonymous_study(study: Path | Address, beside: Path, *, accept: bool) -> Path:
    """Copy a study with pseudonyms beside what is going to be written, and give the copy."""
    from pipeline.ask.anonymise.anonymise import anonymise
    from pipeline.ask.anonymise.vocabulary import without_unknown

    refuse_unusable(study)
    folder = beside.with_name(f"{without_unknown(output_name(study), 'study')}-anonymous")
    with writing(folder):
        done = anonymise(study, folder, progress())
    for line in done.summary():
        Talk.say(line)
    refuse_doubts(done, accept=accept)
    return done.folder


def refuse_doubts(done: "Anonymised", *, accept: bool) -> None:
    """Raise CheckFailedError where words remain that may be names, and nobody has accepted them."""
    if done.to_look_at and not accept:
        shown = ", ".join(sorted(done.to_look_at)[:SHOWN_WORDS])
        raise CheckFailedError(
            f"{done.folder}: {len(done.to_look_at)} words may be names and were not replaced: {shown}. "
            f"Look at the last rows of {done.table}; then give --accept, or replace them by "
            "`haledger anonymise --strict`"
        )
