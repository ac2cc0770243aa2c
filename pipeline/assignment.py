"""Configuration, run and node of every file: from its path, its content and the manifest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pipeline.manifest import Manifest


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What assignment has to know of a file. `own_hosts`: writers of its lines, most frequent first."""

    path: str
    format: str | None
    own_hosts: tuple[str, ...]
    named_hosts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file belongs. `sources` says for `configuration`, `run`, `node` what it was read from."""

    configuration: str
    run: str | None
    run_no: int | None
    node: str | None
    sources: Mapping[str, str]


def assign(study_name: str, files: Sequence[FileFacts], manifest: Manifest) -> dict[str, Place]:
    """The place of every file by its path."""
    raise NotImplementedError
