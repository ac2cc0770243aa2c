"""What the tables of schema `study` and their columns mean, as the store's own comments say it."""

from typing import Final

_POSITION = "place in study.toml, from 1"
_CONFIGURATION = "folder group it is about"
_ORIGIN = "how the data came about: recorded, simulated, calibrated (simulated so that published numbers come out)"
_BUILT_IN = "what of its numbers was put into the data, in words; yes or no without any; null: not said"
_PUBLICATION = {
    "position": _POSITION,
    "name": "name, also that of its files",
    "kind": "built-in kind that it narrows; null: its own statement",
    "caption": "text above or below it",
    "sql": "statement that gives its rows; null: those of the kind",
    "configurations": "configurations that it shows; empty: all",
    "options": "what the kind may be told, JSON",
    "built_in": _BUILT_IN,
}

STUDY_COMMENTS: Final[dict[str, tuple[str, dict[str, str]]]] = {
    "manifest": ("The file study.toml itself; no row without one.", {"content": "its bytes"}),
    "setting": (
        "One row: what study.toml states of the whole study; null where it states nothing.",
        {
            "name": "name of the study's folder",
            "title": "title of the report",
            "subtitle": "line below the title",
            "organisation": "who did the study",
            "date": "date as it is printed",
            "abstract": "abstract, Markdown",
            "authors": "names, in order",
            "reference": "configuration that others are compared with",
            "timezone": "zone of logs that state none, IANA name",
            "year": "year of stamps that have none",
            "margin_pct": "differences up to so many percent count as none",
            "recovered_pct": "a rate is back when it reaches so many percent of what it was before; null: 90",
            "origin": f"{_ORIGIN}; null: not said",
            "origin_note": "what was simulated, and after what",
            "paired": "runs of the same number are pairs in comparisons, or not; null: where their times prove it",
        },
    ),
    "house_style": (
        "One row: how the report is to look; none where study.toml states nothing of it.",
        {
            "accent": "colour of headings and links, #rrggbb",
            "paper": "size of the paper, A4 or Letter",
            "language": "language of the date on the title page, two letters",
            "logo": "bytes of the logo, PNG or SVG",
        },
    ),
    "configuration": (
        "One row per configuration that study.toml describes.",
        {
            "position": "order in tables and figures, from 1",
            "configuration": "folder group",
            "label": "name in print",
            "reference": "its own reference",
            "factors": "what distinguishes it, JSON object",
            "origin": f"{_ORIGIN}; null: as the study's",
            "origin_note": "what was simulated in it, and after what",
            "paired": "its runs and its reference's of the same number are pairs, or not; null: as the study says",
        },
    ),
    "run": (
        "One row per run that study.toml states something of. Times in UTC.",
        {
            "configuration": "folder group",
            "run": "run as its folder is named",
            "fault_at": "stated time of the fault, used as t = 0",
            "true_fault_at": "known time of the fault, only compared with the inferred one",
            "exclude": "why the run is left out of statistics; null: it is not",
        },
    ),
    "node": (
        "One row per host that study.toml describes.",
        {
            "node": "host",
            "timezone": "zone of its wall clock, IANA name",
            "clock_offset_s": "how much its clock is ahead, seconds",
        },
    ),
    "resource_type": (
        "One row per pattern of resource names that study.toml gives a type.",
        {"position": _POSITION, "pattern": "glob of names", "resource_type": "type of the resources"},
    ),
    "event": (
        "One row per event that a person noted in study.toml.",
        {"at": "its time, UTC", "configuration": _CONFIGURATION, "run": "run it is about", "text": "what happened"},
    ),
    "claim": (
        "One row per claim of study.toml: a sentence, and the condition under which it holds.",
        {
            "position": _POSITION,
            "text": "the sentence",
            "sql": "statement that must be true in every row; null: the condition is in the other columns",
            "milestone": "milestone it is about",
            "measurement": "metric it is about",
            "phase": "phase it is about",
            "statistic": "which number of it: mean, cv_pct, ratio, reduction_pct, ...",
            "configuration": _CONFIGURATION,
            "reference": "configuration that it is compared with",
            "op": "comparison",
            "value": "number that the statistic is compared with, in its unit",
            "label": "which of several measurements of one name",
            "clients": "which load, clients",
            "margin": "what still counts as equal, in the unit of the value",
            "margin_pct": "what still counts as equal, percent of the value",
            "unit": "unit of the values of a statement; null: a pure number, or that of what was measured",
            "outcome": "what became of runs, of which it is the share or the number",
            "built_in": _BUILT_IN,
        },
    ),
    "publication_table": (
        "One row per further table that study.toml asks for.",
        _PUBLICATION | {"spanners": "headings above several columns, JSON"},
    ),
    "publication_figure": ("One row per further figure that study.toml asks for.", _PUBLICATION),
    "section": (
        "One row per section of prose in study.toml.",
        {
            "position": _POSITION,
            "title": "heading",
            "place": "where in the report it stands",
            "body": "text, Markdown; what stands in double braces is computed",
        },
    ),
    "milestone_rule": (
        "One row per milestone and kind of evidence for it: the built-in rules, then those of study.toml.",
        {
            "position": "place of the milestone among all, from 1",
            "stack": "cluster stack the rule is for; `study` for the study's own",
            "milestone": "name of the milestone",
            "label": "heading of its column",
            "spanner": "heading above several columns",
            "evidence": "order in which evidence is looked for, from 1",
            "source": "log it stands in; null: any",
            "message_ids": "message ids that show it; null: any",
            "kinds": "kinds of message that show it; null: any",
            "text_pattern": "regular expression (RE2) found in the message",
            "resource_types": "types of resource; null: any",
            "port": "GAB port",
            "resource_classes": "classes of resource of an ha line; null: any",
            "actions": "operations: start, promote, ...; null: any",
            "states": "states that were reached; null: any",
            "subject": "whom the message speaks of: lost_node, surviving_node, clustered_storage; null: anyone",
            "pick": "first or last line that fits",
            "after": "instant or milestone it follows",
            "before": "instant or milestone it precedes",
            "is_user": "whether study.toml states it",
            "ends_recovery": "1: the service is back; 2, 3: stands for it where no run shows such a step; "
            "0: it is back by study.toml; -1: it is not by study.toml; null: neither",
            "begun_by": "milestone after which this one must follow",
        },
    ),
    "outcome_rule": (
        "One row per kind of line that decides what became of a failover, besides its steps.",
        {
            "position": "order in the file of rules, from 1",
            "says": "fault, down, start (of the node anew), by_hand, stop",
            "source": "log it stands in: vcs, ha, db2diag, syslog",
            "kinds": "kinds of message; empty: any",
            "actions": "operations: start, promote, ...; empty: any",
            "words": "the message holds one of them; empty: none is asked for",
            "text_pattern": "regular expression (RE2) found in the message; null: none is asked for",
        },
    ),
    "phase_rule": (
        "One row per phase of a cluster stack: from the latest of some milestones to another one.",
        {
            "position": "order in figures, from 1",
            "stack": "cluster stack",
            "phase": "name of the phase",
            "label": "name in print",
            "from_terms": "milestones; the latest begins it (commas between; `a|b`: the first that a run shows)",
            "to_milestone": "milestone that ends it",
            "colour_role": "what its colour stands for",
        },
    ),
}
"""Per table: what one row is, and what each column means."""
