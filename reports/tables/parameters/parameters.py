"""Tables of configuration parameters: all of them, and what differs from the reference."""

from collections.abc import Sequence

from reports.study.store import Row
from reports.study.view import StudyView
from reports.tables.catalogue import table
from reports.tables.fields import Field, code, configuration, from_rows, places, word
from reports.tables.model import Table


@table(section="parameters", after="processors")
def parameter_changes(study: StudyView) -> list[Table]:
    """Parameters that differ from the reference's."""
    found = study.rows("parameter_changes")
    return from_rows(
        found,
        "Configuration parameters that differ from those of the reference configuration",
        _compared(study, _description(found)),
        note="Attributes of main.cf are left out; the relation parameter_difference has them.",
        source="Source: relation parameter_difference.",
        row_heads=3,
        is_grouped=True,
    )


@table(section="parameters", after="parameter-changes")
def automatic_parameters(study: StudyView) -> list[Table]:
    """Parameters that the product set otherwise than in the reference."""
    return from_rows(
        study.rows("automatic_parameters"),
        "Parameters that the product chose, where it chose otherwise than in the reference configuration",
        _compared(study),
        note="The setting is the same, AUTOMATIC; the values are what it came to.",
        source="Source: relation automatic_change.",
        row_heads=3,
        is_grouped=True,
    )


@table(section="parameters", after="automatic-parameters")
def delayed_parameters(study: StudyView) -> list[Table]:
    """Parameters that were set and did not hold yet."""
    columns = (
        code("Scope", "scope"),
        code("Parameter", "name"),
        code("Value in force", "value"),
        code("From the next start on", "delayed_value"),
        places(study, separator=", "),
    )
    return from_rows(
        study.rows("delayed_parameters"),
        "Parameters that had been set and did not hold yet when the configuration was printed",
        columns,
        note="A run made before that start was made with the value in force.",
        source="Source: relation parameter.",
        row_heads=2,
    )


@table(section="parameters", after="run-milestones")
def parameters(study: StudyView) -> list[Table]:
    """Every parameter that a file states."""
    found = study.rows("parameters")
    named = {name for row in found for name in row["configurations"]}
    everywhere = [each.configuration for each in study.configurations if each.configuration in named]
    return from_rows(
        found,
        "Configuration parameters as the files give them",
        (
            code("Scope", "scope"),
            code("Parameter", "name"),
            *_description(found),
            code("Value", "value"),
            places(study, everywhere),
        ),
        note="Attributes of main.cf are in the relation cluster_attribute.",
        source="Source: relation parameter.",
        row_heads=2,
    )


def _description(rows: Sequence[Row]) -> tuple[Field, ...]:
    """What the product calls the parameters, where it says more than their names."""
    is_said = any(row["description"] and row["description"] != row["name"] for row in rows)
    return (word("Description", "description"),) if is_said else ()


def _compared(study: StudyView, description: Sequence[Field] = ()) -> tuple[Field, ...]:
    """A parameter in a configuration and in its reference."""
    return (
        configuration(study),
        code("Scope", "scope"),
        code("Parameter", "name"),
        *description,
        configuration(study, "Reference", "reference"),
        code("Reference value", "reference_value"),
        code("This configuration", "value"),
    )
