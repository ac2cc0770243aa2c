"""The tables that db2diag.log and the notification log fill with their records."""

import polars as pl

from parsers.format import Column, Message, Table

DB2DIAG_RECORD = Table(
    name="db2diag_record",
    grain="One row per record of db2diag.log or of a notification log, in the layout of V8.1 or of V8.2 and later.",
    subject="DB2",
    part="message within the line, from 1",
    columns=(
        Column("era", pl.String(), "layout of the record: v81 or v82"),
        Column("kind", pl.String(), "what happened: crash_recovery_needed, crash_recovery_done, hadr_state, ..."),
        Column("audience", pl.String(), "E external, I internal, D debugging"),
        Column("record_offset", pl.Int64(), "byte offset that the record gives for itself"),
        Column("platform", pl.String(), "platform letter of the record id"),
        Column("record_length", pl.Int64(), "length in bytes that the record gives for itself"),
        Column("line_count", pl.Int32(), "lines of the record as read, without the empty ones below it"),
        Column(
            "byte_count", pl.Int64(), "length as read: bytes of UTF-8 and one line feed a line, without quoting marks"
        ),
        Column("character_count", pl.Int64(), "the same in characters: the bytes of a file of one byte a character"),
        Column(
            "level",
            pl.String(),
            "Critical, Severe, Error, Warning, Event, Info, ...; V8.1: from the message code",
        ),
        Column("level_source", pl.String(), "Origin, OS, Received, Sent where printed"),
        Column("pid", pl.Int64(), "process id"),
        Column("tid", pl.Int64(), "thread id"),
        Column("ktid", pl.Int64(), "kernel thread id"),
        Column("process", pl.String(), "process name"),
        Column("instance", pl.String(), "DB2 instance"),
        Column("member", pl.Int32(), "database partition or member (printed as NODE)"),
        Column("database", pl.String(), "database"),
        Column("apphdl", pl.String(), "application handle"),
        Column("appid", pl.String(), "application id"),
        Column("uowid", pl.Int64(), "unit of work id"),
        Column("actid", pl.Int64(), "activity id"),
        Column("authid", pl.String(), "authorisation id"),
        Column("host", pl.String(), "HOSTNAME field", host="own"),
        Column("eduid", pl.Int64(), "engine dispatchable unit id"),
        Column("eduname", pl.String(), "engine dispatchable unit name"),
        Column("product", pl.String(), "product of FUNCTION"),
        Column("component", pl.String(), "component"),
        Column("function", pl.String(), "function"),
        Column("probe", pl.Int64(), "probe point"),
        Column("message", pl.String(), "MESSAGE, or the text of a V8.1 record; lines joined by one blank"),
        Column("message_code", pl.String(), "ADM, DIA or SQL code inside the message"),
        Column("zrc", pl.String(), "ZRC return code, hexadecimal"),
        Column("called", pl.String(), "CALLED"),
        Column("oserr", pl.String(), "OSERR"),
        Column("retcode", pl.String(), "RETCODE"),
        Column("event_type", pl.String(), "event verb: START, STOP, CHANGE, ..."),
        Column("event_text", pl.String(), "text of the event"),
        Column("impact", pl.String(), "IMPACT"),
        Column("data", pl.String(), "DATA, ARG and CALLSTCK sections as printed"),
        Column("sqlcode", pl.Int32(), "first SQLCODE other than 0 among the SQLCA sections"),
        Column("zrc_name", pl.String(), "symbol of the ZRC: SQLP_NOSPACE, ..."),
        Column("object", pl.String(), "OBJECT"),
        Column("tenantid", pl.Int64(), "tenant id"),
    ),
    message=Message(
        source="db2diag",
        text="coalesce(message, event_text, retcode, data)",
        severity="level",
        message_id="""coalesce(message_code, "function" || ':' || probe)""",
        process="process",
        pid="pid",
    ),
)

DB2DIAG_DATA = Table(
    name="db2diag_data",
    grain="One row per DATA, ARG or CALLSTCK section of a db2diag record; part counts them within the record.",
    is_public=False,
    columns=(
        Column("section_kind", pl.String(), "DATA, ARG or CALLSTCK"),
        Column("n", pl.Int32(), "number that the section gives for itself"),
        Column("descriptor", pl.String(), "type and length as printed: String, 37 bytes"),
        Column("body", pl.String(), "lines below the descriptor as printed"),
    ),
    is_dated=False,
)
