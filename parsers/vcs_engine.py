"""VCS engine log."""

import polars as pl

from parsers.format import Column, Table

VCS_EVENT = Table(
    name="vcs_event",
    grain="One row per message of VCS (the HAD engine and its agents), from engine logs and from syslog copies.",
    columns=(
        Column(
            "era",
            pl.String(),
            "form of the line: tag_1 (VCS 1.x), tag_2 (to 3.5), umi (4.0 on), hamsg, undated, guide",
        ),
        Column("severity", pl.String(), "CRITICAL, ERROR, WARNING, NOTICE, INFO, DBG_n; TAG letters are translated"),
        Column("severity_printed", pl.String(), "the severity as the line has it: TAG_E, INFO, ..."),
        Column("message_id", pl.String(), "V-16-category-number; VCS:nnnnn of 2.x and 3.5 is written as V-16-1-nnnnn"),
        Column("originator", pl.Int32(), "first number of the message id (16 = VCS)"),
        Column("category", pl.Int32(), "second number: 1 engine, 2 agent framework, 6 triggers, 10000 and up agents"),
        Column("message_number", pl.Int32(), "last number of the message id"),
        Column(
            "kind",
            pl.String(),
            "what happened: resource_online, group_online, system_state, ...",
        ),
        Column("host", pl.String(), "node where the agent ran, when the line was forwarded", host="named"),
        Column("agent", pl.String(), "resource type, where an agent's line names it"),
        Column("resource", pl.String(), "resource the message is about"),
        Column("entry_point", pl.String(), "agent entry point: online, offline, monitor, clean, ..."),
        Column("owner", pl.String(), "owner of the resource as printed"),
        Column("group", pl.String(), "service group the message is about"),
        Column("system", pl.String(), "system the message is about", host="named"),
        Column("node_id", pl.Int16(), "LLT node id of that system, where printed"),
        Column("previous_state", pl.String(), "state left, for state changes"),
        Column("state", pl.String(), "state reached: online, offline, FAULTED, RUNNING, ..."),
        Column("how", pl.String(), "cause in parentheses: VCS initiated, Not initiated by VCS, First probe, ..."),
        Column("membership", pl.String(), "membership mask as printed, hexadecimal; bit i is node i"),
        Column("user_name", pl.String(), "user who fired a command"),
        Column("text", pl.String(), "the message without its head; wrapped lines joined by one blank"),
        Column("payload", pl.String(), "command output that followed the message, lines kept"),
    ),
)
