"""What `--anonymise` does before a study is read."""

from pathlib import Path

from haledger.options import refuse_unusable, writing
from haledger.terminal import Talk, progress
from pipeline.discovery.address import Address, output_name


def anonymous_study(study: Path | Address, beside: Path) -> Path:
    """Copy a study with pseudonyms beside what is going to be written, and give the copy."""
    from pipeline.ask.anonymise.anonymise import anonymise

    refuse_unusable(study)
    folder = beside.with_name(f"{output_name(study)}-anonymous")
    with writing(folder):
        done = anonymise(study, folder, progress())
    for line in done.summary():
        Talk.say(line)
    return done.folder
