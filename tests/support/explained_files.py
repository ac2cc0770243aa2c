"""Explanations made by hand, for what is said of them."""

from dataclasses import replace
from typing import Any

from pipeline.ask.explain.decisions import COUNTED, Explained, Explanation


def explanation(path: str, format_name: str | None = "syslog", **values: Any) -> Explanation:
    """A file of ten lines, all parsed, or (without a format) one that was not recognised."""
    counts = dict.fromkeys(("lines", *COUNTED, "rows"), 0)
    if format_name is not None:
        counts |= {"lines": 10, "parsed": 10, "rows": 10}
    plain = Explanation(
        path=path,
        status="unrecognised" if format_name is None else "parsed",
        reason="no format recognises the first lines" if format_name is None else "30 of 30 lines have a head",
        bytes=100,
        sha256="0" * 64,
        format=format_name,
        format_title="Syslog file" if format_name else None,
        recognised_at=None,
        recognised_text=None,
        refusals={},
        not_tried=(),
        configuration="default",
        run="run01",
        node=None,
        sources={},
        written_by={},
        named_hosts=(),
        year_source=None,
        date_order=None,
        date_order_source=None,
        timezone=None,
        timezone_source=None,
        first_at=None,
        last_at=None,
        first_local_at=None,
        last_local_at=None,
        doubts=(),
        encoding="utf-8",
        remarks=(),
        counts=counts,
        table_rows={},
        rejected=(),
        overrides={},
    )
    return replace(plain, **({"counts": counts | values.pop("counts", {})} | values))


def study(*files: Explanation, **values: Any) -> Explained:
    """A study of these files."""
    whole = Explained(
        study="study",
        name="study",
        manifest=None,
        is_alone=False,
        file_count=len(files),
        files=files,
        incident_counts={},
        findings=(),
        manifest_remarks=(),
    )
    return replace(whole, **values)
