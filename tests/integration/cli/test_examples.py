"""Every example that a `--help` gives is run as it stands, in a folder with the files that it names."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path

import igraph
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.config import Settings, load_settings
from auditor.store import open_store
from auditor.store.local import Endpoint, ensure_running, stop
from cli.app import root_command, run
from cli.reference import commands, examples_of

# an address where nothing answers: whoever needs a store fails
NOWHERE = "bolt://127.0.0.1:1"
WITHOUT_STORE = re.compile(
    r"auditor (--version|policy |benchmark --list|ledger create-key|"
    r"network (audit|anonymize|bounds|compare) \S+\.(csv|parquet)|table (bounds|simulate) \S+\.csv)"
)
SLOW = re.compile(r"auditor (demo|store (copy|restore))")
OWN_HOME = re.compile(r"auditor store (stop|restore)")
EXAMPLES = sorted(
    {line for _, command in commands() for line in examples_of(command)} | set(examples_of(root_command()))
)


SURVEY = "sex,smoking,age,illness,count\n" + "".join(
    f"{sex},{smoking},{age},{illness},{count}\n"
    for count, (sex, smoking, age, illness) in enumerate(
        product("fm", ["yes", "no"], ["young", "old"], ["no", "yes"]), 5
    )
)


def cases(store: bool) -> list[object]:
    found = [line for line in EXAMPLES if (WITHOUT_STORE.match(line) is None) == store]
    return [pytest.param(line, marks=pytest.mark.slow if SLOW.match(line) else ()) for line in found]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    network = igraph.Graph.Famous("Zachary")
    lines = ["source,target", *(f"member{edge.source},member{edge.target}" for edge in network.es)]
    Path("friends.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    ends = np.array(network.get_edgelist())
    pq.write_table(pa.table({"source": ends[:, 0], "target": ends[:, 1]}), "ties.parquet")
    Path("survey.csv").write_text(SURVEY, encoding="utf-8")
    patients = {"sex": ["f", "m"] * 30, "age": ["young"] * 30 + ["old"] * 30, "illness": ["no", "yes", "no"] * 20}
    pq.write_table(pa.table(patients), "patients.parquet")
    Path("policy.toml").write_text("[network]\nk = 3\n", encoding="utf-8")
    Path("strict.toml").write_text("[table]\nthreshold = 5\n", encoding="utf-8")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    return tmp_path


def check(line: str) -> None:
    words = shlex.split(line)[1:]
    # the network of the examples violates any policy and nothing was released of it: audit and report say no
    assert run(words) == (1 if words[:2] == ["network", "audit"] or words[0] == "report" else 0)


@pytest.mark.parametrize("line", cases(store=False))
def test_example_without_a_store(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", NOWHERE)
    if " compare " in line:
        words = "network anonymize friends.csv --k 3 --out released.csv --key-file key.csv -q"
        assert run(words.split()) == 0
    check(line)


@pytest.mark.neo4j
@pytest.mark.parametrize("line", cases(store=True))
def test_example_with_a_store(
    line: str, folder: Path, neo4j_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NEO4J_URI", "local")
    monkeypatch.setenv("AUDITOR_HOME", str(neo4j_settings.home))
    monkeypatch.setenv("AUDITOR_CACHE", str(neo4j_settings.cache))
    audit = prepare_store()
    prepare_ledger(line)
    prepare_tables(line)
    if "network add friends" in line:
        assert run(["network", "remove", "friends", "--yes", "-q"]) == 0
    if line == "auditor store restore backup.jsonl.zst":
        assert run(["store", "backup", "backup.jsonl.zst", "-q"]) == 0
    if OWN_HOME.match(line):
        monkeypatch.setenv("AUDITOR_HOME", str(folder / "home"))
    with empty_server(neo4j_settings, folder / "team", wanted="db.example" in line) as server:
        if server is not None:
            monkeypatch.setenv("NEO4J_PASSWORD", server.password)
            line = line.replace("neo4j://db.example:7687", server.url)
        try:
            check(re.sub(r"\bID\b", audit, line))
        finally:
            if OWN_HOME.match(line):
                run(["store", "stop", "-q"])


@contextmanager
def empty_server(settings: Settings, home: Path, *, wanted: bool) -> Iterator[Endpoint | None]:
    """Run a second Neo4j in the place of a team's server, if the example names one."""
    if not wanted:
        yield None
        return
    own = settings.model_copy(update={"home": home})
    try:
        yield ensure_running(own)
    finally:
        stop(own)


def prepare_ledger(line: str) -> None:
    """Make the files that an example about the ledger reads."""
    if "audit.key" in line:
        assert run(["ledger", "create-key", "audit.key", "-q"]) == 0
    if "--checkpoint march.checkpoint" in line:
        assert run(["ledger", "checkpoint", "--key", "audit.key", "--out", "march.checkpoint", "-q"]) == 0
    if "--file ledger.jsonl" in line:
        assert run(["ledger", "export", "ledger.jsonl", "-q"]) == 0


def prepare_tables(line: str) -> None:
    """Make sure that the store has a table `survey` exactly if the example is not about its addition."""
    with open_store(load_settings()) as store:
        known = {table.name for table in store.tables.list()}
    for name in ("survey", "patients"):
        if f"table add {name} " in line and name in known:
            assert run(["table", "remove", name, "--yes", "-q"]) == 0
    if " table " in line and "table add survey" not in line and "survey" not in known:
        assert run(["table", "add", "survey", "survey.csv", "-q"]) == 0


def prepare_store() -> str:
    """Make sure that the store has an audited network `friends`; return the id of its audit."""
    with open_store(load_settings()) as store:
        known = store.networks.exists("friends")
        audited = known and store.audits.list(subject="friends")
    if not known:
        assert run(["network", "add", "friends", "friends.csv", "-q"]) == 0
    if not audited:
        assert run(["network", "audit", "friends", "--k", "3", "-q"]) == 1
    with open_store(load_settings()) as store:
        return store.audits.list(subject="friends")[0].id
