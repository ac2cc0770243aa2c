"""Rules on the quality of data: which there are, in which order they are reported, and those that only a check has."""

import pytest

from pipeline.ask.check.quality import broken_rules, gravest_first, refuse_unknown
from pipeline.errors import UsageError
from tests.support.hand_made import Ledger, add_default_run


def timers_and_parameters(study_toml: str, configuration: str = "net") -> Ledger:
    """A configuration whose files state peerinact 16 s, stable timeout 5 s and 128 requests in flight."""
    ledger = Ledger(study_toml)
    for run in ("run1", "run2"):
        add_default_run(ledger, configuration, run)
    llttab = ledger.file(f"{configuration}/llttab", "llttab", configuration, None, None)
    ledger.add("parameter_value", llttab, None, scope="llttab", name="peerinact", value="1600")
    gabtab = ledger.file(f"{configuration}/gabtab", "gabtab", configuration, None, None)
    ledger.add("parameter_value", gabtab, None, scope="gabtab", name="stable_timeout", value="5000")
    sysctl = ledger.file(f"{configuration}/sysctl.conf", "sysctl", configuration, None, None)
    ledger.add("parameter_value", sysctl, None, scope="sysctl", name="sunrpc.tcp_slot_table_entries", value="128")
    return ledger


def test_unknown_rule_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="--fail-on outliers: no such rule; the nearest known"):
        refuse_unknown(["outliers"])


def test_fatal_rules_come_first_then_warnings_then_notes() -> None:
    undated = timers_and_parameters('[configuration."net"]\nfactors = { peerinact = 3 }')
    undated.files[0]["timezone_source"] = "assumed"
    with undated.build() as con:
        found = gravest_first(broken_rules(con), ["label_contradiction"])
    assert found[0].rule == "label_contradiction"
    assert (found[0].is_fatal, found[0].to_dict()["verdict"]) == (True, "FAIL")
    assert ("assumed_timezone", "NOTE") in [(each.rule, each.to_dict()["verdict"]) for each in found]
    assert found[-1].to_dict()["verdict"] == "NOTE"
    assert [each.is_warning for each in found[1:]] == sorted((each.is_warning for each in found[1:]), reverse=True)
    few = next(each for each in found if each.rule == "few_runs")
    assert few.to_dict()["verdict"] == "WARN"
    assert few.doubts[0].text == "Only 2 runs of `net` are used: no confidence interval can be given."


@pytest.mark.parametrize(
    ("factors", "said"),
    [
        pytest.param("peerinact = 16", None, id="seconds, as the timer is"),
        pytest.param("peerinact_s = 16", None, id="with its unit"),
        pytest.param("peerinact = 3", "peerinact = 3, but its files give 16", id="another"),
        pytest.param("PeerInact = 3", "PeerInact = 3, but its files give 16", id="in any case"),
        pytest.param("stable_timeout = 2", "stable_timeout = 2, but its files give 5", id="GAB's timer"),
        pytest.param("tcp_slot_table_entries = 128", None, id="a parameter by the last part of its name"),
        pytest.param("tcp_slot_table_entries = 16", "but its files give 128", id="another value of it"),
        pytest.param('"sunrpc.tcp_slot_table_entries" = 16', "but its files give 128", id="by its whole name"),
        pytest.param("deadtime = 30", None, id="a timer that no file states"),
        pytest.param("clients = 5", None, id="a factor that is no parameter"),
        pytest.param('peerinact = "short"', None, id="no number"),
        pytest.param("peerinact = true", None, id="nor this"),
    ],
)
def test_factor_that_contradicts_the_files_is_reported(factors: str, said: str | None) -> None:
    with timers_and_parameters(f'[configuration."net"]\nfactors = {{ {factors} }}').build() as con:
        found = {each.rule: each for each in broken_rules(con)}.get("label_contradiction")
    assert (found is None) == (said is None)
    if found is not None:
        assert str(said) in found.doubts[0].text


def test_name_of_a_folder_is_a_label_too() -> None:
    with timers_and_parameters("", "peerinact=3").build() as con:
        (found,) = (each for each in broken_rules(con) if each.rule == "label_contradiction")
    assert found.doubts[0].text == "`peerinact=3` is declared with peerinact = 3, but its files give 16."
