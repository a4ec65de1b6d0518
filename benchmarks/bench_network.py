"""The whole path of a large network: into the store, out again, protected and verified."""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path

import numpy as np

from auditor.subjects.networks.repository import Networks
from benchmarks.networks import load, private_store, write_edge_list
from benchmarks.process import Measured, auditor, measure
from benchmarks.row import Row
from graphkit.networks.graphs.graph import SimpleGraph

_NAME = "coAuthorsDBLP"
_K = 10
# Hartung, Hoffmann, Nichterlein (2014), table of realized solutions for k = 10
_PAPER_EDGES = 893


def run(data_dir: Path | None) -> list[Row]:
    """Measure coAuthorsDBLP (299 067 vertices, 977 676 edges); nothing without it."""
    graph = load(data_dir, _NAME)
    if graph is None:
        return []
    with tempfile.TemporaryDirectory() as folder:
        file = write_edge_list(graph, Path(folder) / f"{_NAME}.csv.gz")
        return [*_engine(graph), *_from_file(file, graph), *_through_the_store(file, graph)]


def _engine(graph: SimpleGraph) -> list[Row]:
    from graphkit.networks import anonymize
    from graphkit.networks.risk.degree_risk import is_k_anonymous

    start = time.perf_counter()
    anonymize(SimpleGraph.from_edges([(0, 1), (1, 2)]), 2, seed=1)  # loads the compiled kernels
    warmed = time.perf_counter()
    memory = graph.to_igraph()
    began = time.perf_counter()
    result = anonymize(memory, _K, seed=1)
    seconds = time.perf_counter() - began
    protected = SimpleGraph.from_edges(np.concatenate((graph.edges, result.edges)), graph.n)
    assert protected.m == graph.m + result.size
    assert is_k_anonymous(np.bincount(protected.degrees()), _K)
    return [
        Row(f"anonymize {_NAME} k = {_K}, igraph in memory, engine alone", seconds, "s", bar=3.0),
        Row("loading the compiled kernels, once a process", warmed - start, "s"),
    ]


def _from_file(file: Path, graph: SimpleGraph) -> list[Row]:
    out = file.with_name("from-file.csv")
    command = auditor("network", "anonymize", str(file), "--k", str(_K), "--out", str(out), "--json")
    return _anonymized("from a file, no store", measure(command), out, graph, seconds=10.0)


def _through_the_store(file: Path, graph: SimpleGraph) -> list[Row]:
    out = file.with_name("from-store.csv")
    with private_store() as environment:
        measure(auditor("store", "start"), environment=environment)
        added = measure(auditor("network", "add", "dblp", str(file), "--json"), environment=environment)
        command = auditor("network", "anonymize", "network:dblp", "--k", str(_K), "--out", str(out), "--json")
        anonymized = measure(command, environment=environment)
        reading = _reading(environment, graph)
    return [
        Row(f"network add {_NAME} (.csv.gz), warm store", added.seconds, "s", bar=40.0),
        Row(f"network add {_NAME}, peak memory of the client", added.peak_mib, "MiB", bar=1024.0),
        *reading,
        *_anonymized("from the store", anonymized, out, graph, seconds=25.0),
    ]


def _reading(environment: dict[str, str], graph: SimpleGraph) -> list[Row]:
    from auditor.config import load_settings
    from auditor.store import open_store

    with open_store(load_settings(environ={**os.environ, **environment})) as store:
        start = time.perf_counter()
        stored = Networks(store).load("dblp").graph
        stored.to_igraph()
        loaded = time.perf_counter()
        blocks = Networks(store).block_sequence("dblp")
        counted = time.perf_counter()
    assert np.array_equal(stored.edges, graph.edges)
    assert np.array_equal(blocks, np.bincount(graph.degrees()))
    return [
        Row(f"read {_NAME} back as igraph", loaded - start, "s", bar=10.0),
        Row(f"block sequence of {_NAME}, counted in the database", counted - loaded, "s", bar=2.0),
    ]


def _anonymized(how: str, measured: Measured, out: Path, graph: SimpleGraph, *, seconds: float) -> list[Row]:
    from auditor.formats.networks import read_network
    from graphkit.networks.risk.degree_risk import is_k_anonymous

    figures = json.loads(measured.stdout)
    published = read_network(out).graph
    assert published.n == graph.n
    assert published.m == graph.m + figures["edges_added"]
    assert is_k_anonymous(np.bincount(published.degrees()), _K)
    work = f"network anonymize {_NAME} k = {_K} {how}"
    return [
        Row(f"{work}, with export and verification", measured.seconds, "s", bar=seconds),
        Row(f"{work}, peak memory", measured.peak_mib, "MiB", bar=1536.0),
        Row(f"{work}, edges added", figures["edges_added"], "edges", bar=880.0, peer=f"paper: {_PAPER_EDGES}"),
    ]
