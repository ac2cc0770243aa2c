"""Secrets and names of many forms in all formats, names of files, archives and study.toml: none is left in a copy.

HALEDGER_PLANT_SEEDS: other studies, as `3,4,5`.
"""

import html
import json
import os
import random
import re
import tarfile
import tomllib
import zipfile
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pypdfium2
import pytest

from pipeline.ask.anonymise.anonymise import anonymise
from pipeline.ingest.ingest import ingest
from reports.document.report import write_report
from tests.support.seeds import seeds

FORMS = tomllib.loads(Path(__file__).with_name("planted_names.toml").read_text())
FIELD = re.compile(r"\{([A-Za-z])(?::([^}]+))?\}")
MOST_FALSE = 0.01
"""Share of words that name nobody and are replaced."""

LEAST_PLANTED = 300

WRITTEN: dict[str, Callable[[str], str]] = {
    "basic": lambda text: b64encode(f"operator:{text}".encode()).decode(),
    "base64": lambda text: b64encode(text.encode()).decode(),
    "base64url": lambda text: urlsafe_b64encode(f"??>{text}".encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "percent": lambda text: "".join(f"%{ord(each):02X}" if not each.isalpha() else each for each in text),
    "json": lambda text: json.dumps(json.dumps(text))[1:-1],
    "html": lambda text: html.escape(text).replace("!", "&#33;"),
    "u": lambda text: "".join(f"\\u{ord(each):04x}" for each in text),
    "x": lambda text: "".join(f"\\x{ord(each):02x}" for each in text),
    "upper": str.upper,
    "dashed": lambda text: text.replace(".", "-"),
}


class Plant:
    """Makes names and secrets, and remembers them with the form that they stand in."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311  no secret
        self.forms: dict[str, str] = {}
        self.shown = {"S": self._new("s"), "H": self._new("h"), "O": self._new("o").upper()}

    def line(self, form: str) -> str:
        """A form with new names."""
        own: dict[str, str] = {}

        def value(field: re.Match[str]) -> str:
            kind, way = field.groups()
            text = self.shown.get(kind) or own.setdefault(kind, self._new(kind))
            shown = WRITTEN[way](text) if way in WRITTEN else f"{way or ''}{text}"
            self.forms.setdefault(text.lower(), form)
            self.forms.setdefault(shown.lower(), form)
            return shown

        return FIELD.sub(value, form)

    def _new(self, kind: str) -> str:
        chance = self.chance
        word = "".join(chance.choice("bdfgklmprtvz") + chance.choice("aeou") for _ in range(4)) + chance.choice("qxz")
        number = chance.randrange(10**5, 10**6)
        return {
            "s": f"{word[:3]}{word[3:6].upper()}{chance.choice('!+~*^')}{number}",
            "h": f"{word}-{chance.choice(('db', 'app', 'n'))}{number % 97}",
            "p": f"{word[:4].title()} {word[::-1].title()}",
            "i": f"10.{number % 200}.{number // 7 % 200 + 1}.{number // 11 % 200 + 1}",
            "v": f"2001:db9::{number % 65_000:x}",
            "m": f"52:54:00:{number % 90 + 10}:{word[0]}f:9{word[1]}".translate(
                str.maketrans("gklmprtvzou", "abcdefabcde")
            ),
            "n": f"{number}{number // 3:06d}"[:12],
            "t": f"{number}7",
            "y": f"{chance.getrandbits(128):032x}",
            "x": f"{chance.getrandbits(160):040x}",
            "a": f"AKIA{''.join(chance.choices('ABCDEFGHJKLMNPQRSTUVWXYZ234567', k=16))}",
            "j": ".".join(urlsafe_b64encode(f'{{"{word}":{number}}}'.encode()).decode().strip("=") for _ in range(3)),
        }.get(kind, word)


def planted(root: Path, plant: Plant) -> dict[str, str]:
    """Write a study, and give the lines of syslog by the number of their process."""
    host = plant.shown["H"]
    forms = [each for listed in (FORMS["secrets"], FORMS["names"]) for each in listed.splitlines() if each]
    lines = dict(zip(map(str, range(1000, 9999)), forms, strict=False))
    texts = [
        f"Mar  2 10:{number // 60 % 60:02d}:{number % 60:02d} {host} app[{number}]: {plant.line(form)}\n"
        for number, form in enumerate(forms, 1000)
    ]
    logs = root / "run01" / host
    logs.mkdir(parents=True)
    (logs / "messages").write_text("".join(texts[::3]))
    with tarfile.open(root / "run01" / f"{host}.tar.gz", "w:gz") as archive:
        (root / "part").write_text("".join(texts[1::3]))
        archive.add(root / "part", f"{plant.line('{u}')}/messages")
        (root / "part").unlink()
    with zipfile.ZipFile(root / "run01" / f"of-{plant.line('{o}')}.zip", "w") as zipped:
        zipped.writestr(f"messages.{plant.line('{h}')}", "".join(texts[2::3]).encode("utf-16"))
    declared = ""
    for name, found in sorted(seeds().items()):
        text = found[0].splitlines()
        for at in plant.chance.sample(range(len(text)), min(3, len(text))):
            text[at] += " " + plant.line(plant.chance.choice(forms))
        (root / "all" / f"{name}-{host}").parent.mkdir(exist_ok=True)
        (root / "all" / f"{name}-{host}").write_text("\n".join(text) + "\n")
        declared += f'[[files]]\nmatch = "all/{name}-*"\nformat = "{name}"\nyear = 2003\n'
    people = plant.line("{p} {o}").split()
    (root / "study.toml").write_text(
        f'# by {people[0]}\n[study]\ntitle = "{people[2].title()}: failover of {host}"\nauthors = ["{people[1]}"]\n'
        f'timezone = "UTC"\n{declared}[[section]]\ntitle = "Why"\nbody = "{people[1]} of {people[2]} asked."\n'
    )
    return lines


def texts_of(folder: Path) -> Iterator[tuple[str, str]]:
    """All that people can read in files: names, texts, pages, attachments, rows of a store."""
    for file in sorted(each for each in folder.rglob("*") if each.is_file()):
        yield f"{file} (name)", str(file.relative_to(folder))
        if file.suffix == ".pdf":
            with pypdfium2.PdfDocument(file) as pdf:
                yield str(file), "\n".join(page.get_textpage().get_text_range() for page in pdf)
                yield f"{file} (head)", str(pdf.get_metadata_dict())
                for number in range(pdf.count_attachments()):
                    attachment = pdf.get_attachment(number)
                    yield f"{file}/{attachment.get_name()}", bytes(attachment.get_data()).decode(errors="replace")
        elif file.suffix == ".duckdb":
            with duckdb.connect(str(file), read_only=True) as con:
                con.execute(f"export database '{folder}/export' (format csv)")
            yield from texts_of(folder / "export")
        else:
            content = file.read_bytes()
            yield str(file), content.decode("utf-16" if content[:2] == b"\xff\xfe" else "utf-8", "replace")


def numbers(db: Path) -> dict[str, object]:
    """Of each public relation its rows, and a sum over its times and fractions."""
    with duckdb.connect(str(db), read_only=True) as con:
        relations = con.execute(
            "select table_name, string_agg('\"' || column_name || '\"', ', ' order by column_index) "
            "from duckdb_columns() where schema_name = 'main' and data_type in ('DOUBLE', 'TIMESTAMP') "
            "and column_name not in ('byte_count', 'character_count') "
            "and table_name not in ('source_file', 'store_info') group by all"
        ).fetchall()
        return {
            name: con.execute(f"select count(*), sum(hash({listed})::hugeint) from main.{name}").fetchone()
            for name, listed in relations
        }


@pytest.mark.parametrize("seed", [int(each) for each in os.environ.get("HALEDGER_PLANT_SEEDS", "1").split(",")])
def test_no_planted_name_is_left_and_every_number_stays(seed: int, tmp_path: Path) -> None:
    plant = Plant(seed)
    lines = planted(tmp_path / "study", plant)
    anonymise(tmp_path / "study", tmp_path / "copy")
    out = tmp_path / "out"
    ingest(tmp_path / "copy", out / "haledger.duckdb")
    write_report(out / "haledger.duckdb", out)
    left: dict[str, tuple[str, str]] = {}
    for folder in (tmp_path / "copy", out):
        for place, text in texts_of(folder):
            low = text.lower()
            left |= {name: (form, place) for name, form in plant.forms.items() if name not in left and name in low}
    ingest(tmp_path / "study", tmp_path / "plain.duckdb")
    assert numbers(out / "haledger.duckdb") == numbers(tmp_path / "plain.duckdb")
    copies: dict[str, str] = {}
    for _, text in texts_of(tmp_path / "copy"):
        copies |= {found[1]: found[0] for found in re.finditer(r"(?m)^Mar .*? app\[([0-9]+)\]: .*$", text)}
    assert copies.keys() == lines.keys()
    words = [
        (number, word) for number, form in lines.items() for word in re.findall("[A-Za-z]{3,}", FIELD.sub(" ", form))
    ]
    false = [(word, copies[number]) for number, word in words if word.lower() not in copies[number].lower()]
    assert left == {}, f"of {len(plant.forms)}: {json.dumps(left, indent=1)}"
    assert len(false) <= MOST_FALSE * len(words), false
    assert len(plant.forms) > LEAST_PLANTED
