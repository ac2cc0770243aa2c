from parsers.messages.ha_rule import STACKS
from pipeline.study import rules
from pipeline.study.manifest_entries import Milestone

MILESTONES = [
    *("llt", "missed", "gab", "token", "suspected", "dead", "fenced", "transition", "elected"),
    *("vm", "fs", "cvm_cfs", "promoted", "mounted"),
    *("ip", "db2udb", "db_start", "started", "group_online"),
    *("detect", "complete", "recovery", "redo", "redo_done", "ready"),
    *("takeover_start", "takeover_done", "peer"),
    *("announced", "routed", "address_moved", "client_success"),
    *("resync_start", "resync_done"),
]
"""Steps in the order in which they follow each other; others may lie between them."""
LAST = max(rules.table([])["position"])
"""The place of the last built-in milestone."""


def test_built_in_milestones_are_in_the_order_of_the_table() -> None:
    table = rules.table([])
    assert [name for name in table["milestone"].unique(maintain_order=True) if name in MILESTONES] == MILESTONES
    assert table.schema == rules.MILESTONE_RULE.schema
    headings = [
        "Membership change detection",
        "Storage recovery",
        "Service group restart",
        "DB2 UDB recovery",
        "Database recovery",
        "HADR take-over",
        "Client",
        "Resynchronisation",
    ]
    assert [name for name in table["spanner"].unique(maintain_order=True) if name in headings] == headings


def test_a_milestone_has_the_same_place_and_headings_in_every_stack() -> None:
    for (_milestone,), group in rules.table([]).group_by("milestone"):
        assert group.select("position", "label", "spanner", "phrase").n_unique() == 1


def test_evidence_is_numbered_in_the_order_of_preference() -> None:
    gab = rules.table([]).filter(milestone="gab")
    assert gab.select("evidence", "source", "port").rows() == [(1, "gab", "a"), (2, "gab", "h"), (3, "vcs", None)]


def test_phases_start_at_the_latest_of_their_terms() -> None:
    phases = {row["phase"]: row for row in rules.phase_rules().filter(stack="vcs_db2").iter_rows(named=True)}
    assert list(phases) == [
        "detection",
        "disk_group_import",
        "fs_check_mount",
        "cvm_cfs_recovery",
        "virtual_ip",
        "database_restart",
        "crash_recovery",
    ]
    assert phases["database_restart"]["from_terms"] == "fs|cvm_cfs,ip"


def test_study_milestone_follows_the_built_in_ones() -> None:
    own = Milestone(name="reconnect", label="Client", group="Clients", text="connected", after="complete")
    row = rules.table([own]).filter(milestone="reconnect").row(0, named=True)
    assert row["position"] == LAST + 1
    assert (row["stack"], row["pick"], row["after"], row["before"]) == ("study", "first", "complete", "end")
    assert row["is_user"]


def test_study_milestone_with_a_built_in_name_replaces_its_evidence_and_keeps_its_headings() -> None:
    built_in = rules.table([]).filter(milestone="cvm_cfs")
    own = rules.table([Milestone(name="cvm_cfs", text="recovered", pick="last")]).filter(milestone="cvm_cfs")
    kept = ("position", "label", "spanner")
    assert own.select(*kept, "text_pattern").rows() == [(*built_in.select(kept).row(0), "recovered")]


def test_repeated_name_is_a_second_choice_of_evidence() -> None:
    own = [
        Milestone(name="x", message_id=("A-1",)),
        Milestone(name="x", message_id=("A-2", "A-3")),
        Milestone(name="y", text="y"),
    ]
    table = rules.table(own).filter(stack="study")
    assert table.select("position", "milestone", "evidence", "message_ids").rows() == [
        (LAST + 1, "x", 1, ["A-1"]),
        (LAST + 1, "x", 2, ["A-2", "A-3"]),
        (LAST + 2, "y", 1, []),
    ]


def test_study_tables_are_those_of_rules() -> None:
    assert {name: frame.height > 0 for name, frame in rules.study_tables([]).items()} == {
        "milestone_rule": True,
        "phase_rule": True,
        "outcome_rule": True,
        "setting_rule": True,
    }


def test_steps_that_a_setting_governs_lie_between_milestones() -> None:
    found = rules.setting_rules()
    names = {"fault", *rules.milestone_names()}
    assert set(found["from_milestone"]) | set(found["to_milestone"]) <= names
    assert set(found["of_stack"]) <= {"llt", *STACKS}
    assert found.select("of_stack", "from_milestone", "to_milestone").is_unique().all()


def test_a_phrase_is_the_rules_else_follows_from_the_label() -> None:
    stated = rules.table(
        [
            Milestone(name="db2udb", text="x"),
            Milestone(name="gab", text="x", phrase="the peer is gone"),
            Milestone(name="own", text="x"),
        ]
    )
    phrases = dict(stated.select("milestone", "phrase").iter_rows())
    assert (phrases["db2udb"], phrases["gab"]) == ("the database resource is online", "the peer is gone")
    assert (phrases["vm"], phrases["own"]) == ("VM is complete", "own is complete")


def test_a_study_says_which_of_its_steps_ends_recovery() -> None:
    orders = Milestone(name="orders", text="orders are accepted", ends_recovery=True)
    stated = rules.table([orders, Milestone(name="db2udb", text="x", ends_recovery=False)])
    ends = dict(stated.select("milestone", "ends_recovery").iter_rows())
    assert (ends["orders"], ends["db2udb"], ends["complete"]) == (rules.STUDY_END, rules.NO_END, 1)
