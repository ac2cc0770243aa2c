"""All tables of a study, by name."""

from collections.abc import Callable

from pipeline.errors import UsageError
from reports.data_origin import marked_table
from reports.study_view import StudyView
from reports.tables import (
    claims,
    client,
    environment,
    failover,
    fault_time,
    hadr_buffers,
    hadr_planning,
    hadr_runs,
    outcomes,
    performance,
    study,
    system,
    takeover,
)
from reports.tables.model import Table

BUILDERS: tuple[Callable[[StudyView], list[Table]], ...] = (
    environment.formats,
    environment.nodes,
    system.machines,
    environment.resources,
    environment.timers,
    outcomes.outcomes,
    failover.changes,
    failover.milestones,
    client.client_outages,
    client.client_effects,
    client.client_errors,
    takeover.operations,
    takeover.resyncs,
    takeover.hadr_takeovers,
    takeover.story,
    study.tables,
    environment.measurements,
    performance.scaling,
    performance.query_times,
    performance.dips,
    performance.log_flushes,
    performance.hadr_states,
    hadr_planning.recommendations,
    hadr_planning.modes,
    hadr_planning.bottlenecks,
    hadr_buffers.windows,
    hadr_buffers.buffers,
    hadr_planning.models,
    hadr_planning.what_if,
    hadr_planning.disks,
    hadr_runs.repeats,
    hadr_runs.shipping,
    hadr_runs.outliers,
    system.disks,
    system.processors,
    environment.parameter_changes,
    performance.automatic_parameters,
    performance.delayed_parameters,
    fault_time.fault_time_accuracy,
    claims.claims,
    failover.phases,
    failover.runs,
    fault_time.fault_time_errors,
    failover.run_milestones,
    environment.parameters,
    environment.sources,
)


def all_tables(view: StudyView) -> dict[str, Table]:
    """Every table that the store has data for."""
    found: dict[str, Table] = {}
    for table in (table for build in BUILDERS for table in build(view)):
        if table.name in found:
            raise UsageError(f"study.toml, table {table.name!r}: this name belongs to another table; choose a free one")
        found[table.name] = marked_table(view, table)
    return found
