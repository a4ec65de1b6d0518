"""How long somebody waits for a command: whole processes, medians of ten."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from auditor.store.local.state import read_state
from auditor.subjects.networks.repository import Networks
from benchmarks.networks import load, private_store, write_edge_list
from benchmarks.process import auditor, measure, median_seconds
from benchmarks.row import Row

_RUNS = 10
_COLD_RUNS = 5
_NETWORKS = 100
_REST_SECONDS = 30.0


def run(data_dir: Path | None) -> list[Row]:
    """Measure the start of the program, an audit of a file, and the store cold and warm."""
    rows = [Row("auditor --help", median_seconds(auditor("--help"), runs=_RUNS), "s", bar=0.4)]
    with tempfile.TemporaryDirectory() as folder:
        network = load(data_dir, "ca-GrQc")
        if network is not None:
            file = write_edge_list(network, Path(folder) / "ca-GrQc.csv.gz")
            # exit code 1: the network violates the default policy
            seconds = median_seconds(auditor("network", "audit", str(file), "--k", "5"), runs=_RUNS, expect=1)
            rows.append(Row("network audit FILE (ca-GrQc, no store)", seconds, "s", bar=1.0))
    return [*rows, *_store(), _demo()]


def _store() -> list[Row]:
    listing = auditor("network", "list")
    with private_store() as environment:
        measure(listing, environment=environment)  # the first start of all also makes the database
        start = _cold(auditor("store", "start"), environment)
        first = _cold(listing, environment)
        _fill(environment)
        warm = median_seconds(listing, runs=_RUNS, environment=environment)
        time.sleep(_REST_SECONDS)
        idle = _resident_mib(environment)
    return [
        Row(f"network list, warm store of {_NETWORKS} networks", warm, "s", bar=1.2),
        Row("store start, cold", start, "s", bar=5.5),
        Row("first command, cold store", first, "s", bar=8.0),
        Row(f"private store of {_NETWORKS} networks at rest: memory", idle, "MiB", bar=500 * 1e6 / (1 << 20)),
    ]


def _cold(command: list[str], environment: dict[str, str]) -> float:
    """Return the median time of a command that finds the store stopped."""
    seconds = []
    for _ in range(_COLD_RUNS):
        subprocess.run(auditor("store", "stop"), env={**os.environ, **environment}, capture_output=True, check=True)
        seconds.append(measure(command, environment=environment).seconds)
    return statistics.median(seconds)


def _resident_mib(environment: dict[str, str]) -> float:
    """Return the memory of the private server that is no other process's as well."""
    server = read_state(Path(environment["AUDITOR_HOME"]) / "server.json")
    assert server is not None
    text = Path(f"/proc/{server.pid}/smaps_rollup").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1024


def _demo() -> Row:
    with private_store() as environment, tempfile.TemporaryDirectory() as folder:
        command = auditor("demo", "--out", folder)
        return Row("make demo, after installation", measure(command, environment=environment).seconds, "s", bar=30.0)


def _fill(environment: dict[str, str]) -> None:
    from auditor.config import load_settings
    from auditor.formats.networks.loaded import LoadedNetwork, ReadNotes
    from auditor.store import open_store
    from graphkit.networks.graphs.graph import SimpleGraph

    graph = SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3)])
    with open_store(load_settings(environ={**os.environ, **environment})) as store:
        for number in range(_NETWORKS):
            network = LoadedNetwork(graph, graph.degrees(), {}, ReadNotes(format="memory"))
            Networks(store).add(f"network {number}", network, source="benchmark", actor="benchmark")
