"""What the cluster server does in a failover, as messages at instants; the same in both eras."""

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from samples.simulate import texts
from samples.simulate.cluster import FileSystem, Service
from samples.simulate.journal import soon_after
from samples.simulate.physics import Run, pick, shuffled
from samples.simulate.scenarios import SECOND, Scenario

THREADS = 10  # NumThreads of an agent: no more scripts at a time (paper, 3.2 and 3.7.2)

Timed = tuple[int, texts.Message]


def membership_lost(service: Service, run: Run) -> Iterator[Timed]:
    """HAD's first reaction to the new membership, all in the second of GAB's message."""
    lost = service.nodes[run.lost]
    gab = run.at("gab")
    yield soon_after(gab, 20_000), texts.new_membership()
    yield soon_after(gab, 22_000), texts.down_state(lost, run.lost)
    yield soon_after(gab, 30_000), texts.system_state(lost, run.lost, "RUNNING", "FAULTED")
    yield soon_after(gab, 31_000), texts.no_trigger("sysoffline")


def service_moves(
    scenario: Scenario, service: Service, run: Run, random: Random, *, host_in_output: bool
) -> Iterator[Timed]:
    """The service starts on the survivor."""
    target = service.nodes[run.survivor]
    gab = run.at("gab")
    if not scenario.clustered:
        yield soon_after(gab, 40_000), texts.initiating("Online", service.disk_group, service.group, target)
    yield soon_after(gab, 41_000), texts.initiating("Online", service.address, service.group, target)
    yield run.at("ip"), texts.resource_is("online", service.address, service.group, target)
    ready = run.at("ip")
    if not scenario.clustered:
        yield run.at("vm"), texts.resource_is("online", service.disk_group, service.group, target)
        yield from mounts(service, run, random, target if host_in_output else "")
        ready = max(ready, run.at("fs"))
    yield ready + 9_000, texts.initiating("Online", service.database, service.group, target)
    online = run.at("db2udb")
    yield online, texts.resource_is("online", service.database, service.group, target)
    yield soon_after(online, 4_000), texts.group_is("online", service.group, target)
    yield soon_after(online, 9_000), texts.no_trigger("postonline")


def mount_times(run: Run, count: int) -> list[tuple[int, int]]:
    """Start and end of each of `count` mounts: waves of ten that share the disks, each next one in a freed thread."""
    start, span = run.at("vm"), run.elapsed["fs"] - run.elapsed["vm"]
    ends = []
    for k in range(count):
        first = k // THREADS * THREADS
        size = min(THREADS, count - first)
        wave, within = span * size // count, (k - first + 1) * 45 // size
        ends.append(start + span * first // count + wave * (55 + within) // 100)
    ends[-1] = run.at("fs")
    return [(start + 3_000 if k < THREADS else ends[k - THREADS] + 3_000, end) for k, end in enumerate(ends)]


def mounts(service: Service, run: Run, random: Random, output_host: str) -> Iterator[Timed]:
    """The file systems are checked and mounted, some with what fsck printed."""
    target = service.nodes[run.survivor]
    order = shuffled(random, service.file_systems)
    for each, (start, end) in zip(order, mount_times(run, len(order)), strict=True):
        yield start, texts.initiating("Online", each.resource, service.group, target)
        if random.randrange(4) == 0:
            yield end - 30_000, texts.completed_output(each.resource, output_host, _fsck_output(service, each, random))
        yield end, texts.resource_is("online", each.resource, service.group, target)


def _fsck_output(service: Service, each: FileSystem, random: Random) -> list[str]:
    payload = texts.log_replay(f"/dev/vx/rdsk/{service.veritas_disk_group}/{each.volume}")
    return pick(random, (payload, [texts.RULER, *payload, texts.RULER]))


def owned(scenario: Scenario, service: Service) -> list[tuple[str, str]]:
    """Every resource with its group, in the order of the configuration."""
    database = [(service.database, service.group), (service.address, service.group)]
    if service.instance_resource:
        database.append((service.instance_resource, service.group))
    storage = [(service.disk_group, service.storage_group)]
    storage += [(each.resource, service.storage_group) for each in service.file_systems]
    infrastructure = [(name, "cvm") for name in ("qlogckd", "vxfsckd", "cvm_clus")] if scenario.clustered else []
    return infrastructure + storage + database


def engine_returns(service: Service, run: Run, at: int) -> Iterator[Timed]:
    """The survivor sees the lost node come back, from `at` on."""
    lost = service.nodes[run.lost]
    yield at, texts.new_membership()
    yield at + 4_000, texts.regular_membership(lost, run.lost)
    states = ("FAULTED", "INITING", "CURRENT_DISCOVER_WAIT", "REMOTE_BUILD", "RUNNING")
    for i, (old, new) in enumerate(pairwise(states)):
        yield at + 10_000 + i * 700_000, texts.system_state(lost, run.lost, old, new)


def engine_boots(service: Service, run: Run, at: int) -> Iterator[Timed]:
    """The returning node's own first lines, from `at` on."""
    lost = service.nodes[run.lost]
    yield at - 2 * SECOND, texts.logger_started()
    yield at - 2 * SECOND + 5_000, texts.gab_timeout()
    yield at, texts.new_membership()
    yield at + 3_000, texts.own_membership(lost)
    yield at + 1_500_000, texts.remote_build()
    yield at + 2_110_000, texts.system_state(lost, run.lost, "REMOTE_BUILD", "RUNNING")


def probes(scenario: Scenario, service: Service, run: Run, at: int) -> Iterator[Timed]:
    """The agents look at every resource on the returning node; clustered storage comes up there again."""
    lost = service.nodes[run.lost]
    resources = owned(scenario, service)
    for i, (resource, group) in enumerate(resources):
        state = "online" if resource == service.instance_resource else "offline"
        yield at + i * 40_000, texts.resource_is(state, resource, group, lost, "First probe")
    at += len(resources) * 40_000
    groups = list(dict.fromkeys(group for _, group in resources))
    for group in groups:
        yield at, texts.group_probed(group, lost)
    for group in groups if scenario.clustered else []:
        if group == service.group:
            continue
        for i, resource in enumerate(each for each, owner in resources if owner == group):
            yield at + SECOND, texts.initiating("Online", resource, group, lost)
            yield at + 2 * SECOND + i * 150_000, texts.resource_is("online", resource, group, lost)
        at += 3 * SECOND + len(resources) * 150_000
        yield at, texts.group_is("online", group, lost)
