"""What files say of each other: a node that the others name, a run that a folder beside them writes."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from pipeline.study.places.path_reading import Reading


def inherited_nodes(readings: Sequence[Reading]) -> list[Reading]:
    """A file that names nobody belongs to the only node whose logs lie in the same run, else in the same folder.

    A log that several hosts wrote shows several nodes. A machine that only uses the service is none: the logs beside
    its own are those of the servers, and its own are never theirs.
    """

    def neighbourhood(reading: Reading) -> tuple[str, ...]:
        if reading.run is None:
            return ("folder", reading.path.rpartition("/")[0])
        return ("run", reading.configuration, reading.run)

    nodes: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for each in readings:
        if not each.is_of_client:
            nodes[neighbourhood(each)] |= {node for node in (each.node, *each.writers) if node is not None}

    def inherited(reading: Reading) -> Reading:
        around = nodes.get(neighbourhood(reading), set())
        if reading.node is not None or not around or reading.is_of_client:
            return reading
        where = "folder" if reading.run is None else "run"
        if len(around) > 1:
            why = f"{reading.sources['node']}; {len(around)} nodes have logs in the same {where}"
            return replace(reading, sources=reading.sources | {"node": why})
        why = f"the only node with logs in the same {where}; it names none itself"
        return replace(reading, node=next(iter(around)), sources=reading.sources | {"node": why})

    return [inherited(each) for each in readings]


def one_text_per_run(readings: Sequence[Reading]) -> list[Reading]:
    """Give a run that a file name or the manifest declares the text of the only folder of the same word and number.

    `nearsync_run3.txt` beside `run03/` is run03. Two folders are two runs, regardless of their names.
    """
    texts: dict[tuple[str, int], set[tuple[str, str]]] = defaultdict(set)
    for each in readings:
        if each.run is not None and each.run_no is not None and each.run_origin == "folder":
            texts[each.configuration, each.run_no].add((each.run, each.run_word or ""))

    def resolved(reading: Reading) -> Reading:
        if reading.run is None or reading.run_no is None or reading.run_origin == "folder":
            return reading
        same = texts.get((reading.configuration, reading.run_no), set())
        if any(text == reading.run for text, _ in same):
            return reading
        is_given = reading.run_origin == "study.toml"
        is_given_number = is_given and reading.run.isdigit()
        alike = [text for text, word in same if is_given_number or (not is_given and word == reading.run_word)]
        if len(alike) != 1:
            return reading
        why = reading.sources | {"run": f"{reading.sources['run']}; written as the folder {alike[0]}"}
        return replace(reading, run=alike[0], sources=why)

    return [resolved(each) for each in readings]
