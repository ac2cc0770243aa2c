"""From main.cf or crm configure to figures of what needs what."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from pipeline.errors import UsageError
from pipeline.ingest.ingest import ingest
from reports.document import pages
from reports.document.document import compose
from reports.figures import picture
from reports.figures.catalogue import all_figures
from reports.figures.dependency.data import Need, Resource, clusters
from reports.figures.draw.style import WIDE
from reports.study.store import opened
from reports.study.view import StudyView
from tests.support.drawings import WIDTHS, covered, outside, texts

MAIN_CF = """include "types.cf"
cluster shark (
    )
system elm (
    )
system oak (
    )
group db (
    SystemList = { elm = 0, oak = 1 }
    )
    Db2udb sample (
        DB2InstOwner = db2inst1
        )
    IP service (
        Address = "10.0.0.1"
        )
    sample requires service
    requires group storage online local firm
group storage (
    SystemList = { elm = 0, oak = 1 }
    Parallel = 1
    )
    CVMVolDg dg (
        CVMDiskGroup = shark
        )
"""
CRM = """node elm
node oak
primitive p_drbd ocf:linbit:drbd params drbd_resource=r0
primitive p_fs ocf:heartbeat:Filesystem params device=/dev/drbd0
primitive p_ip ocf:heartbeat:IPaddr2 params ip=10.0.0.1
primitive p_mail ocf:heartbeat:MailTo params email=root
group g_db p_fs p_ip meta target-role=Started
ms ms_drbd p_drbd meta master-max=1
colocation c_db inf: g_db ms_drbd:Master
order o_db Mandatory: ms_drbd:promote g_db:start
colocation apart -inf: p_mail g_db
"""
FIGURES = """
[[figure]]
name = "groups"
kind = "dependencies"
configurations = ["tuned"]
options = {{ groups = [{groups}] }}

[[figure]]
name = "between"
kind = "group-dependencies"
paper = "Figure 3.5"
configurations = ["tuned"]
"""

Opener = Callable[[dict[str, str]], AbstractContextManager[StudyView]]


@pytest.fixture
def study_of(tmp_path: Path) -> Opener:
    """A study of files by their path."""

    @contextmanager
    def study(files: dict[str, str]) -> Iterator[StudyView]:
        for name, content in files.items():
            (tmp_path / "study" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "study" / name).write_text(content, encoding="utf-8")
        ingest(tmp_path / "study", tmp_path / "store.duckdb")
        with opened(tmp_path / "store.duckdb") as store:
            yield StudyView(store)

    return study


def with_mounts(count: int) -> str:
    declared = "".join(f"    CFSMount fs{i:02d} (\n        Primary = elm\n        )\n" for i in range(1, count + 1))
    return MAIN_CF + declared + "".join(f"    fs{i:02d} requires dg\n" for i in range(1, count + 1))


def test_layouts_that_are_alike_are_drawn_once(study_of: Opener) -> None:
    names = ("default", "tuned", *"abcdefgh")
    with study_of({f"{name}/main.cf": MAIN_CF for name in names}) as study:
        figures = all_figures(study)
    assert list(figures) == ["dependencies", "group-dependencies"]
    assert set(figures["dependencies"].configurations) == set(names)
    assert figures["dependencies"].caption.endswith(" and 3 more)"), "ten names are too many for a caption"
    assert {figure.topic for figure in figures.values()} == {"cluster"}


def test_a_figure_says_and_shows_names_types_and_kinds(study_of: Opener) -> None:
    with study_of({"tuned/main.cf": MAIN_CF}) as study:
        figures = all_figures(study)
    resources, groups = figures["dependencies"], figures["group-dependencies"]
    assert resources.description == (
        "db, failover group: Db2udb sample needs IP service; storage, parallel group: CVMVolDg dg stands alone"
    )
    assert {"sample", "Db2udb", "service", "IP", "failover group on elm, oak"} <= set(texts(resources))
    assert groups.description == "db needs storage (online local firm)"
    assert {"db", "storage", "parallel group", "online local firm"} <= set(texts(groups))
    assert groups.rows == (
        ("tuned", "db", "failover group", "elm, oak", 2, "storage", "online local firm"),
        ("tuned", "storage", "parallel group", "elm, oak", 1, None, None),
    )


def test_many_alike_make_one_box_and_the_data_lists_all(study_of: Opener) -> None:
    with study_of({"tuned/main.cf": with_mounts(86)}) as study:
        figure = all_figures(study)["dependencies"]
    assert {"86 × CFSMount", "fs01", "fs02", "and 84 more"} <= set(texts(figure))
    assert "86 × CFSMount (fs01 to fs86) needs CVMVolDg dg" in figure.description
    assert [row for row in figure.rows if row[2] == "fs77"] == [("tuned", "storage", "fs77", "CFSMount", "dg")]
    assert sum(piece.height for piece in figure.scene.pieces(WIDE)) < 400
    assert any("Stacks" in note for note in figure.notes)


def test_what_a_study_asks_for_is_in_its_chapter_and_is_not_drawn_twice(study_of: Opener) -> None:
    manifest = FIGURES.format(groups='"storage"')
    with study_of({"tuned/main.cf": MAIN_CF, "default/main.cf": with_mounts(4), "study.toml": manifest}) as study:
        figures = all_figures(study)
        document = compose(study, {}, figures)
        html = pages.html(document).html
    assert list(figures) == ["groups", "between"]
    assert [row[1] for row in figures["groups"].rows] == ["storage"]
    assert [(document.numbers[f"figure:{name}"].heading) for name in figures] == [
        "Figure 1",
        "Figure 2 (paper: 3.5)",
    ]
    assert 'drawn in <a href="#figure-groups">Figure 1</a>' in html
    assert (
        html.index('id="section-environment"') < html.index('id="figure-between"') < html.index('id="section-doubts"')
    )
    assert "fs01 … fs04" in html  # the layout that no figure shows is told as text


def test_a_group_that_is_not_there_is_reported(study_of: Opener) -> None:
    manifest = FIGURES.format(groups='"storge"')
    with (
        study_of({"tuned/main.cf": MAIN_CF, "study.toml": manifest}) as study,
        pytest.raises(UsageError, match="no service group 'storge'; known: db, storage"),
    ):
        all_figures(study)


def test_groups_of_pacemaker_are_drawn_from_the_first_member_up(study_of: Opener) -> None:
    with study_of({"ha/cluster.crm": CRM}) as study:
        cluster = clusters(study)[0]
        figures = all_figures(study)
    group = cluster.groups[0]
    assert (group.name, group.resources) == ("g_db", (Resource("p_fs", "Filesystem"), Resource("p_ip", "IPaddr2")))
    assert group.needs == (Need("p_ip", "p_fs"),)
    assert cluster.needs == (Need("g_db", "ms_drbd", "on the same node and after"),)
    assert "p_mail" not in texts(figures["dependencies"])  # it stands in no group
    assert {"g_db", "ms_drbd", "promotable clone"} <= set(texts(figures["group-dependencies"]))


@pytest.mark.parametrize("width", WIDTHS)
def test_boxes_and_words_fit_the_page_and_a_column(study_of: Opener, width: float) -> None:
    with study_of({"tuned/main.cf": with_mounts(5), "ha/cluster.crm": CRM}) as study:
        for figure in all_figures(study).values():
            assert covered(figure.scene, width) == []
            assert outside(figure.scene, width) == []
            assert picture.png(figure, width).startswith(b"\x89PNG")


def test_hostile_names_stay_text(study_of: Opener) -> None:
    hostile = MAIN_CF.replace("service", "<script>alert(1)</script>\u202e" + "x" * 200)
    with study_of({"tuned/main.cf": hostile}) as study:
        for figure in all_figures(study).values():
            drawn = picture.svg(figure)
            ET.fromstring(drawn)
            assert "<script" not in drawn
            assert "\u202e" not in drawn
