"""Secrets and names planted in every format, in names of files, study.toml and an archive: none is handed on."""

import base64
import re
import string
import zipfile
from collections import Counter
from hashlib import sha256
from pathlib import Path

import duckdb
import pypdfium2
import pytest

from parsers.format import Format, formats
from pipeline.ask.anonymise.anonymise import Anonymised, anonymise
from pipeline.ask.anonymise.vocabulary import is_known
from pipeline.ingest.ingest import ingest
from reports.document.pdf_content import read
from reports.document.report import write_report
from tests.support.command import haledger
from tests.support.same_numbers import different_relations
from tests.support.seeds import seeds

FORMS = Path(__file__).with_name("planted_forms.txt").read_text().splitlines()
MARK = re.compile(rb"(?i)[a-z]{4}zq[a-z]{4}|172[.-]29[.-][0-9]|525a[.]0007|52:5a:00:07|fd5a::|enpxo[a-z0-9+/]{8}")
"""What all that is planted looks like, and no sample has."""

EMBEDDED = re.compile(rb"[A-Za-z0-9+/=]{200,}")
"""A font or a picture."""

LONE = re.compile(r"(?<![^\s(:])[^\W\d_]{2,}(?![^\s:,;)])")
"""A word by itself: of `node-1`, a name, no part is."""

VERDICTS = """
select format, lines, parsed_lines, continuation_lines, ignored_lines, blank_lines, rejected_lines
from main.source_file where format is not null
"""

MOST_LOST = 0.01
"""Of the words of templates in logs, those that a pseudonym replaces."""


def planted(form: str, key: str) -> str:
    """A form with values of its own."""
    first, second = (_word(f"{key} {form} {number}") for number in (1, 2))
    low, high = sha256(f"{key} {form}".encode()).digest()[:2]
    secret = f"{first.title()}7x"
    values = {
        "s": secret,
        "b": base64.b64encode(f"zqz:{secret}".encode()).decode(),
        "n": first,
        "m": second,
        "N": first.title(),
        "M": second.title(),
        "U": first.upper(),
        "i": f"172.29.{low}.{high}",
        "h": f"172-29-{low}-{high}",
        "x": f"{low:x}{high:02x}",
        "c": f"52:5a:00:07:{low:02x}:{high:02x}",
        "d": f"525a.0007.{low:02x}{high:02x}",
    }
    return re.sub(r"\{([a-zA-Z])\}", lambda found: values[found[1]], form)


def _word(key: str) -> str:
    """A word that no other key gives, and no log has."""
    letters = "".join(string.ascii_lowercase[byte % 26] for byte in sha256(key.encode()).digest()[:8])
    return f"{letters[:4]}zq{letters[4:]}"


def with_plants(parser: Format, text: str) -> str:
    """A text with comments in a configuration, words behind messages, or else lines of their own."""
    lines = text.splitlines()
    plants = [planted(form, parser.name) for form in FORMS]
    if parser.role == "configuration":
        begin, end = {"cib": ("<!-- ", " -->"), "main_cf": ("// ", "")}.get(parser.name, ("# ", ""))
        return "\n".join([*lines, *(f"{begin}{plant}{end}" for plant in plants)]) + "\n"
    if any(table.message for table in parser.tables):
        return "\n".join(f"{lines[at % len(lines)]} {plant}" for at, plant in enumerate(plants)) + "\n" + text
    return text + "\n".join(plants) + "\n"


@pytest.fixture(scope="module")
def handed_on(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Anonymised]:
    """A folder with a study, its copy, and all that haledger makes of the copy."""
    root = tmp_path_factory.mktemp("planted")
    study, declared = root / "study", []
    for number, (name, parser) in enumerate(sorted(formats().items())):
        file = study / _word("folder") / "run01" / f"{_word('node')}-db1" / f"{number:03}-{_word(name)}.log"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(with_plants(parser, seeds()[name][-1]))
        declared.append(f'[[files]]\nmatch = "**/{number:03}-*"\nformat = "{name}"\nyear = 2003\n')
    with zipfile.ZipFile(study / f"{_word('archive')}.zip", "w") as archive:
        text = with_plants(formats()["syslog"], seeds()["syslog"][0])
        archive.writestr(f"{_word('member')}-db1/messages.{_word('suffix')}", text)
    (study / "study.toml").write_text(
        f'# by {_word("comment").title()}\n[study]\ntitle = "{_word("title").title()}: failover"\ntimezone = "UTC"\n'
        f'abstract = "By {_word("abstract").title()}, on {_word("host")}-db1"\n'
        f'[configuration."{_word("folder")}/{_word("node")}-db1"]\nlabel = "{_word("label")}"\n\n{"".join(declared)}'
    )
    done = anonymise(study, root / "copy")
    out = root / "out"
    ingest(study, root / "plain.duckdb")
    ingest(done.folder, out / "haledger.duckdb")
    write_report(out / "haledger.duckdb", out)
    made = haledger("tables", "--db", "out", "-f", "xlsx", "-f", "docx", cwd=root)
    assert made.returncode == 0, made.stderr
    return root, done


def texts_of(root: Path) -> dict[str, bytes]:
    """All that is handed on: files and their names, the store, pages, attachments and parts of documents."""
    out, pdf = root / "out", root / "out" / "report.pdf"
    files = [each for name in ("copy", "out", "tables") for each in (root / name).rglob("*") if each.is_file()]
    texts = {str(each.relative_to(root)): each.read_bytes() for each in files}
    texts["names of files"] = "\n".join(texts).encode()
    for each in [each for each in files if each.suffix in {".xlsx", ".docx"}]:
        with zipfile.ZipFile(each) as parts:
            texts |= {f"{each.name}/{name}": parts.read(name) for name in parts.namelist()}
    with pypdfium2.PdfDocument(pdf) as pages:
        texts["pages"] = "\n".join(page.get_textpage().get_text_range() for page in pages).encode()
    texts |= {f"attached {name}": content for name, content in read(pdf.read_bytes()).attachments.items()}
    with duckdb.connect(str(out / "haledger.duckdb"), read_only=True) as con:
        con.execute(f"export database '{root}/export' (format csv)")
    return texts | {f"store {each.name}": each.read_bytes() for each in (root / "export").glob("*.csv")}


def test_nothing_planted_is_left(handed_on: tuple[Path, Anonymised]) -> None:
    root, done = handed_on
    assert done.left_out == ()
    found = {
        (name, bytes(text[max(0, each.start() - 40) : each.end() + 10]))
        for name, content in texts_of(root).items()
        for text in [EMBEDDED.sub(b"", content)]
        for each in MARK.finditer(text)
    }
    assert sorted(found) == []


def test_numbers_are_those_of_the_study(handed_on: tuple[Path, Anonymised]) -> None:
    root, _ = handed_on
    assert different_relations(root / "plain.duckdb", root / "out" / "haledger.duckdb") == []


def test_lines_are_to_their_formats_what_they_were(handed_on: tuple[Path, Anonymised]) -> None:
    """But for values in the output of DB2, where a planted secret holds the `=` by which a line is one."""
    root, _ = handed_on
    found = []
    for db in (root / "plain.duckdb", root / "out" / "haledger.duckdb"):
        with duckdb.connect(str(db), read_only=True) as con:
            found.append(set(con.execute(VERDICTS).fetchall()))
    assert {each[0] for each in found[0] ^ found[1]} <= {"db2_cfg", "db2_dbm_cfg", "db2_set", "db2_snapshot"}


def test_words_of_templates_stay(handed_on: tuple[Path, Anonymised]) -> None:
    root, _ = handed_on
    plain, copied = (_words(root / name) for name in ("study", "copy"))
    assert (plain - copied).total() < MOST_LOST * plain.total()


def _words(folder: Path) -> Counter[tuple[str, str]]:
    """The words of templates in the logs of a study, by log."""
    logs = [name for name, parser in sorted(formats().items()) if parser.role != "configuration"]
    texts = {sorted(formats())[int(each.name[:3])]: each.read_text() for each in folder.rglob("[0-9][0-9][0-9]-*")}
    return Counter((name, word.casefold()) for name in logs for word in LONE.findall(texts[name]) if is_known(word))
