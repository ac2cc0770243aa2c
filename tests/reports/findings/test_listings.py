"""The listing of main.cf: what the store holds of it reads as the product writes it."""

from pathlib import Path

import pytest

from pipeline.ingest.ingest import ingest
from reports.document.attachments import attachments
from reports.document.document import compose
from reports.findings.listings import listings
from reports.study.store import opened
from reports.study.view import StudyView

# REAL in form: written as the product's own files, after the reference of VCS
MAIN_CF = """\
include "types.cf"

cluster c1 (
	UserNames = { admin = "aBcDeF12345" }
	)

system a (
	)

group top (
	SystemList = { a = 0, b = 1 }
	)

	IP vip (
		Device @a = hme0
		Device @b = qfe0
		Address = "10.0.35.128"
		)

	NIC card (
		Device = hme0
		)

	requires group under online local firm
	vip requires card

group under (
	Parallel = 1
	)
"""
LISTED = (
    MAIN_CF.removeprefix('include "types.cf"\n\n')
    .replace('"aBcDeF12345"', "********")
    .replace("system a (\n\t)\n\n", "")
    .replace("card\n\ngroup", "card\ngroup")
)
"""What decides how the cluster behaves, secrets masked: no files that are included, no empty section."""


@pytest.mark.parametrize("tuned", [MAIN_CF, MAIN_CF.replace("hme0", "eri0")])
def test_every_different_main_cf_is_listed_once_and_attached(tmp_path: Path, tuned: str) -> None:
    for configuration, text in (("default", MAIN_CF), ("tuned", tuned)):
        (tmp_path / "study" / configuration).mkdir(parents=True)
        (tmp_path / "study" / configuration / "main.cf").write_text(text)
    ingest(tmp_path / "study", tmp_path / "haledger.duckdb")
    with opened(tmp_path / "haledger.duckdb") as store:
        study = StudyView(store)
        found = listings(study)
        attached = attachments(compose(study, {}, {}))["main.cf.txt"].content.decode()
    assert found[0].text == LISTED
    is_same = tuned == MAIN_CF
    assert [each.labels for each in found] == ([("default", "tuned")] if is_same else [("default",), ("tuned",)])
    assert attached.count("cluster c1 (") == len(found)
    assert "aBcDeF" not in attached
