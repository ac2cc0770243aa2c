"""The hosts of a study: every name that its logs and study.toml give, in one spelling each."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from pipeline.study.manifest import Manifest
from pipeline.study.places.hosts import is_name, short_name


@dataclass(frozen=True, slots=True)
class Hosts:
    """The host names seen anywhere in the study, by lower-case short and full name, in one spelling each.

    `shared`: short names that hosts of several sites have, each with these hosts.
    """

    names: Mapping[str, str]
    shared: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, in_logs: Iterable[str], manifest: Manifest) -> "Hosts":
        """Collect the hosts of logs and manifest; the manifest's spelling wins, then the lower-case one."""
        given = set(manifest.nodes) | {each.node for each in manifest.files if each.node}
        seen = {host.strip() for host in in_logs}
        groups: dict[str, set[str]] = defaultdict(set)
        for host in given | {host for host in seen if is_name(host)}:
            groups[short_name(host)].add(host)
        names: dict[str, str] = {}
        shared: dict[str, frozenset[str]] = {}
        for short, group in groups.items():
            domains = {host.lower() for host in group if short_name(host) != host.lower()}
            if len(domains) > 1:  # two hosts of one name at two sites stay apart
                names |= {
                    host.lower(): _spelling([each for each in group if each.lower() == host.lower()], given)
                    for host in group
                }
                shared[short] = frozenset(names[domain] for domain in domains)
                continue
            spelling = _spelling([each if each in given else each[: len(short)] for each in group], given)
            names |= {host.lower(): spelling for host in group} | {short: spelling}
        return cls(names, shared)

    def of_line(self, host: str) -> str | None:
        """The node of a name that a log line states."""
        name = host.strip().lower()
        return self.names.get(name) or self.names.get(short_name(name))

    def candidates(self, host: str) -> frozenset[str]:
        """The nodes that a log line may mean by a name: several where hosts of two sites share their short name."""
        node = self.of_line(host)
        return self.shared.get(host.strip().lower()) or (frozenset() if node is None else frozenset({node}))

    def of_part(self, part: str) -> str | None:
        """The node that a part of a path names, or None. A bare number is never treated as a host."""
        name = part.lower()
        if name.isdigit():
            return None
        # sun.old is not the host sun, sun.example.com is
        return self.names.get(name) or (self.names.get(short_name(name)) if name.count(".") > 1 else None)


def _spelling(candidates: Iterable[str], given: Collection[str]) -> str:
    return min(candidates, key=lambda each: (each not in given, each != each.lower(), each))
