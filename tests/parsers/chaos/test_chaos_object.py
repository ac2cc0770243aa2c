import json
from datetime import datetime

import polars as pl

from parsers.chaos.chaos_object import parse, recognise
from parsers.format import Parsed, Recognition
from tests.support.measured import verdicts
from tests.support.message_lines import numbered

# ADAPTED: from the types of Chaos Mesh 2 (`api/v1alpha1`), as kubectl sorts them; the names are a test's
CUT = """\
apiVersion: chaos-mesh.org/v1alpha1
kind: NetworkChaos
metadata:
  creationTimestamp: "2026-06-05T08:46:50Z"
  name: cut
  ownerReferences:
  - apiVersion: chaos-mesh.org/v1alpha1
    kind: Schedule
    name: nightly
spec:
  action: partition
  duration: 30s
status:
  conditions:
  - status: "True"
    type: AllInjected
  experiment:
    containerRecords:
    - events:
      - message: cannot find pod
        operation: Apply
        timestamp: "2026-06-05T08:46:52Z"
        type: Failed
      - operation: Apply
        timestamp: "2026-06-05T08:46:54Z"
        type: Succeeded
      - operation: Recover
        timestamp: "2026-06-05T10:47:24+02:00"
        type: Succeeded
      id: default/db-0
      injectedCount: 1
      phase: Not Injected
    - events:
      - operation: Apply
        timestamp: "2026-06-05T08:46:55Z"
        type: Succeeded
      id: default/db-1
    desiredPhase: Stop
""".splitlines()
# REAL: `kubectl describe` of a PodChaos in a public repository, lines selected
DESCRIBED = """\
Name:         pod-kill
API Version:  chaos-mesh.org/v1alpha1
Kind:         PodChaos
Metadata:
  Creation Timestamp:  2026-06-05T08:46:54Z
Status:
  Experiment:
    Container Records:
      Events:
        Operation:      Apply
        Timestamp:      2026-06-05T08:46:54Z
        Type:           Succeeded
      Id:               online-boutique/productcatalogservice-c4cfd98fb-zm88k
      Phase:            Injected
Events:
  Normal  Applied          2s    records         Successfully apply chaos for online-boutique/productcatalogservice
""".splitlines()
# ADAPTED: from the types of Litmus 3
ENGINE = {
    "apiVersion": "litmuschaos.io/v1alpha1",
    "kind": "ChaosEngine",
    "metadata": {"creationTimestamp": "2026-06-05T08:40:00Z", "name": "nginx"},
    "spec": {"engineState": "active", "experiments": [{"name": "pod-delete", "spec": {"probe": []}}]},
    "status": {
        "engineStatus": "completed",
        "experiments": [
            {
                "experimentPod": "pod-delete-1",
                "lastUpdateTime": "2026-06-05T08:42:10Z",
                "name": "pod-delete",
                "runner": "nginx-runner",
                "status": "Completed",
                "verdict": "Pass",
            }
        ],
    },
}


def marks(parsed: Parsed) -> list[tuple[object, ...]]:
    columns = ("line_no", "part", "stack", "kind", "object", "action", "stamp", "utc_offset_min")
    return parsed.tables["ha_event"].select(columns).rows() if parsed.tables else []


def at(hour: int, minute: int, second: int) -> datetime:
    return datetime(2026, 6, 5, hour, minute, second)  # noqa: DTZ001  as stored


def test_records_of_chaos_mesh_are_faults_with_their_ends() -> None:
    found = parse(numbered(CUT))
    what = ("NetworkChaos partition",)
    expected = [
        (25, 1, "chaos_mesh", "fault_asked", "default/db-0", *what, at(8, 46, 50), 0),
        (25, 2, "chaos_mesh", "fault_injected", "default/db-0", *what, at(8, 46, 54), 0),
        (28, 1, "chaos_mesh", "fault_over", "default/db-0", *what, at(8, 47, 24), 0),
        (35, 1, "chaos_mesh", "fault_asked", "default/db-1", *what, at(8, 46, 50), 0),
        (35, 2, "chaos_mesh", "fault_injected", "default/db-1", *what, at(8, 46, 55), 0),
    ]
    assert marks(found) == expected
    assert (verdicts(found).count("P"), set(verdicts(found))) == (3, {"P", "i"})
    # in a list, in which the second object is another
    listed = [
        "apiVersion: v1",
        "items:",
        *(("- " if not each.strip() or number == 0 else "  ") + each for number, each in enumerate(CUT)),
        "kind: List",
    ]
    assert [row[2:] for row in marks(parse(numbered(listed)))] == [row[2:] for row in expected]


def test_describe_and_json_read_like_yaml() -> None:
    assert [(row[3], row[4], row[5], row[6]) for row in marks(parse(numbered(DESCRIBED)))] == [
        ("fault_asked", "online-boutique/productcatalogservice-c4cfd98fb-zm88k", "PodChaos", at(8, 46, 54)),
        ("fault_injected", "online-boutique/productcatalogservice-c4cfd98fb-zm88k", "PodChaos", at(8, 46, 54)),
    ]
    alone = json.dumps(ENGINE, indent=4).splitlines()
    listed = json.dumps({"apiVersion": "v1", "items": [ENGINE, ENGINE], "kind": "List"}, indent=4).splitlines()
    over = ("litmus", "fault_over", None, "pod-delete", at(8, 42, 10), 0)
    assert [row[2:] for row in marks(parse(numbered(alone)))] == [over]
    assert [row[2:] for row in marks(parse(numbered(listed)))] == [over, over]


def test_recognised_by_its_first_object() -> None:
    event = ["apiVersion: v1", "involvedObject:", "  apiVersion: chaos-mesh.org/v1alpha1", "kind: Event"]
    result = ["apiVersion: litmuschaos.io/v1alpha1", "kind: ChaosResult", "spec:", "  verdict: Pass"]
    heads: tuple[list[str], ...] = (
        CUT,
        DESCRIBED,
        json.dumps(ENGINE, indent=2).splitlines(),
        result,
        event,
        ["apiVersion: apps/v1"],
        [],
    )
    found = [isinstance(recognise(pl.Series(each, dtype=pl.String)), Recognition) for each in heads]
    assert found == [True, True, True, True, False, False, False]
    assert marks(parse(numbered(result))) == []


def test_a_damaged_time_costs_itself_only() -> None:
    damaged = [each.replace("08:46:54Z", "99:46:54Z") for each in CUT]
    assert [row[:2] for row in marks(parse(numbered(damaged)))] == [(25, 1), (28, 1), (35, 1), (35, 2)]
