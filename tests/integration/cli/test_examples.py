"""Every example that a `--help` gives is run as it stands, in a folder with the files that it names."""

from __future__ import annotations

import csv
import re
import shlex
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import igraph
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from auditor.access.tokens import Tokens
from auditor.audits.repository import Audits
from auditor.audits.waivers import Waivers
from auditor.config import Settings, load_settings
from auditor.exports.destination import Destination
from auditor.notifications.outbox import write_messages
from auditor.notifications.record import NewMessage
from auditor.policy import ExportPolicy, Policy
from auditor.schedules.repository import Schedules
from auditor.store import open_store
from auditor.store.connection import Connection
from auditor.store.local import ServerState, ensure_running, stop
from auditor.subjects.microdata.repository import Microdata
from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from cli.app import root_command, run
from cli.reference import commands, examples_of
from cli.terminal.context import Context
from graphkit import effort
from tests.support.emptying import emptied

# an address where nothing answers: whoever needs a store fails
NOWHERE = "bolt://127.0.0.1:1"
WITHOUT_STORE = re.compile(
    r"auditor (--version|policy (?!.*DIGEST)|benchmark --list|ledger (create-key|verifier)|config show|notify test|"
    r"audit files|network deliver (?!.*neo4j:)|start \S+\.csv|"
    r"(network (audit|anonymize|bounds|compare|verify)|microdata (audit|microaggregate|generalize|verify|compare)) "
    r"\S+\.(csv|parquet)|"
    r"table (bounds|simulate|check) \S+\.csv)"
)
SLOW = re.compile(r"auditor (demo|store (copy|restore))")
OWN_HOME = re.compile(r"auditor store (stop|restore)")
EXAMPLES = sorted(
    {line for _, command in commands() for line in examples_of(command)} | set(examples_of(root_command()))
)


SURVEY = "sex,smoking,age,illness,count\n" + "".join(
    f"{sex},{smoking},{age},{illness},{count}\n"
    for count, (sex, smoking, age, illness) in enumerate(
        product("fm", ["yes", "no"], ["0-29", "30-59", "60+"], ["no", "yes"]), 5
    )
)


PEOPLE = "age,sex,region,income\n" + "".join(
    f"{20 + number % 7},{'fm'[number % 2]},{'ns'[number % 3 > 0]},{1000 + number}\n" for number in range(30)
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
    for name in ("sex,smoking", "smoking,illness", "sex,illness"):
        write_marginal(name.split(","))
    patients = {"sex": ["f", "m"] * 30, "age": ["young"] * 30 + ["old"] * 30, "illness": ["no", "yes", "no"] * 20}
    pq.write_table(pa.table(patients), "patients.parquet")
    Path("people.csv").write_text(PEOPLE, encoding="utf-8")
    rows = list(csv.DictReader(PEOPLE.splitlines()))
    pq.write_table(pa.table({name: [row[name] for row in rows] for name in rows[0]}), "people.parquet")
    Path("roles.toml").write_text('quasi_identifiers = ["age", "sex"]\nsensitive = ["income"]\n', encoding="utf-8")
    Path("policy.toml").write_text("[network]\nk = 3\n", encoding="utf-8")
    Path("strict.toml").write_text("[table]\nthreshold = 5\n", encoding="utf-8")
    channel = f'[notify.channels.collector]\nkind = "file"\naddress = "{tmp_path}/told.jsonl"\n'
    Path("channels.toml").write_text(channel, encoding="utf-8")
    monkeypatch.setenv("AUDITOR_CONFIG", "")
    # as much work as these small files need: what more of it finds is in the tests of the engines
    for name in ("DEFAULT_EFFORT", "PROVING_EFFORT"):
        monkeypatch.setattr(effort, name, 1.0)
    return tmp_path


def write_marginal(names: list[str]) -> None:
    """Write a marginal of the survey, such as `sex-smoking.csv`."""
    counts: Counter[tuple[str, ...]] = Counter()
    for row in csv.DictReader(SURVEY.splitlines()):
        counts[tuple(row[name] for name in names)] += int(row["count"])
    lines = [",".join([*names, "count"]), *(",".join([*cell, str(count)]) for cell, count in counts.items())]
    Path("-".join(names) + ".csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def check(line: str) -> None:
    words = shlex.split(line)[1:]
    # the network of the examples violates any policy and nothing was released of it: audit and report say no
    audits = (["network", "audit"], ["microdata", "audit"], ["audit", "run"], ["audit", "files"])
    violated = words[:2] in audits or (words[0] == "report" and words[1] not in ("month", "verify"))
    # who answers at a terminal is in the tests of that command
    words += ["--yes"] if words[0] == "start" and "--yes" not in words else []
    assert run(words) == (1 if violated else 0)


@pytest.mark.slow
@pytest.mark.parametrize("line", cases(store=False))
def test_example_without_a_store(line: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", NOWHERE)
    if "microdata compare" in line or "microdata verify" in line:
        words = "microdata microaggregate people.csv --k 3 --out released.csv --key-file key.csv --effort 0.1 -q"
        assert run(words.split()) == 0
    elif re.search(" (compare|deliver|verify) ", line):
        words = "network anonymize friends.csv --k 3 --out released.csv --key-file key.csv -q"
        assert run(words.split()) == 0
    elif "--attribute" in line:
        rows = (f"member{number},{'fm'[number % 2]},{number % 3}" for number in range(34))
        Path("friends.vertices.csv").write_text("\n".join(["id,sex,age", *rows]) + "\n", encoding="utf-8")
    check(line)


@pytest.fixture(scope="module")
def own_store(neo4j_settings: Settings) -> Settings:
    """The store of this process without what tests before left in it: they use the same names for other data."""
    with Connection.open(neo4j_settings) as connection:
        emptied(connection)
    return neo4j_settings


@pytest.mark.slow
@pytest.mark.neo4j
@pytest.mark.parametrize("line", cases(store=True))
def test_example_with_a_store(line: str, folder: Path, own_store: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NEO4J_URI", "local")
    monkeypatch.setenv("AUDITOR_HOME", str(own_store.home))
    monkeypatch.setenv("AUDITOR_CACHE", str(own_store.cache))
    audit = prepare_store()
    if "DIGEST" in line:
        line = line.replace("DIGEST", policy_of(audit))
    prepare_ledger(line)
    prepare_tables(line)
    prepare_microdata(line)
    prepare_schedules(line)
    if "network add friends" in line:
        assert run(["network", "remove", "friends", "--yes", "-q"]) == 0
    if line == "auditor store restore backup.jsonl.zst":
        assert run(["store", "backup", "backup.jsonl.zst", "-q"]) == 0
    if OWN_HOME.match(line):
        monkeypatch.setenv("AUDITOR_HOME", str(folder / "home"))
    if "graph.example" in line:
        with Connection.open(own_store) as connection:
            connection.execute("CREATE (:Person)-[:KNOWS]->(:Person)-[:KNOWS]->(:Person)")
        server = ensure_running(own_store)
        monkeypatch.setenv("AUDITOR_GRAPH_PASSWORD", server.password)
        line = line.replace("neo4j://graph.example:7687", server.url)
        words = "network anonymize friends.csv --k 3 --out released.csv -q"
        assert "deliver" not in line or run(words.split()) == 0
    with empty_server(own_store, folder / "team", wanted="db.example" in line) as other:
        if other is not None:
            monkeypatch.setenv("NEO4J_PASSWORD", other.password)
            line = line.replace("neo4j://db.example:7687", other.url)
        try:
            check(re.sub(r"\bID\b", audit, with_approval(with_message(with_waiver(line, audit)))))
        finally:
            if OWN_HOME.match(line):
                run(["store", "stop", "-q"])


@contextmanager
def empty_server(settings: Settings, home: Path, *, wanted: bool) -> Iterator[ServerState | None]:
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
    if "report verify" in line:
        words = ["report", "month", "2026-10", "--key", "audit.key", "--out", "2026-10.html", "-q"]
        assert run(words) == 0
    if "--file ledger.jsonl" in line or "--ledger ledger.jsonl" in line:
        assert run(["ledger", "export", "ledger.jsonl", "-q"]) == 0


def with_waiver(line: str, audit: str) -> str:
    """Return the line with a finding of an audit of `friends`, or a waiver of it."""
    if not any(word in line for word in ("FINGERPRINT", "WAIVER", "revoke TOKEN")):
        return line
    with open_store(load_settings()) as store:
        found = Audits(store).show(audit).findings[0].fingerprint
        if "WAIVER" in line:
            later = datetime.now(UTC) + timedelta(days=9)
            line = line.replace("WAIVER", Waivers(store).add(found, reason="known", until=later, actor="ada").id)
        if "token revoke TOKEN" in line:
            later = datetime.now(UTC) + timedelta(days=9)
            made, _ = Tokens(store).create(person="ada", role="viewer", expires_at=later, actor="ada")
            line = line.replace("TOKEN", made.id)
    return line.replace("FINGERPRINT", found)


def with_message(line: str) -> str:
    """Return the line with the only message of the store, if it names one; else the store has none."""
    if " notify " not in line:
        return line
    message = NewMessage("msg_1", "office", "file", "finding-new", "network:friends", "{}", "unknown")
    with open_store(load_settings()) as store:
        store.connection.execute("MATCH (m:AuditorMessage) DELETE m")
        if "MESSAGE" in line:
            store.connection.write(lambda tx: write_messages(tx, [message], store.ledger.now()))
    return line.replace("MESSAGE", message.id)


def with_approval(line: str) -> str:
    """Return the line with what waits, if it names such a thing: asked by another person, or to take it back."""
    if "APPROVAL" not in line:
        return line
    waiting = Policy(exports=ExportPolicy(marginal_approval="second-person"))
    actor = Context().actor if "withdraw" in line else "another person"
    if "--k " in line:
        return line.replace("APPROVAL", pending_export(actor))
    names = ["sex", "illness", "age"] if "--marginal" in line else ["sex"]
    with open_store(load_settings()) as store:
        asked = answer_request(
            store, MarginalRequest("survey", names, waiting, by="G", actor=actor), clock=time.monotonic
        )
        if asked.recorded.approval is None:
            # an example before this one let it out
            asked = answer_request(
                store, MarginalRequest("survey", ["age"], waiting, by="G", actor=actor), clock=time.monotonic
            )
        if "take-over" in line:
            # what is pending of a revoked token is frozen
            until = store.ledger.clock() + timedelta(days=1)
            token, _ = Tokens(store).create(person=actor, role="officer", expires_at=until, actor="admin")
            Tokens(store).revoke(token.id, actor="admin")
    assert asked.recorded.approval is not None
    return line.replace("APPROVAL", asked.recorded.approval)


def pending_export(actor: str) -> str:
    """Return what waits: an export of `friends` that a person makes."""
    request = ExportRequest(
        3, Destination(Path("pending.csv")), Policy(exports=ExportPolicy(approval="second-person")), actor
    )
    with open_store(load_settings()) as store:
        published = export_network(StoredNetwork(store, Networks(store).show("friends")), request).published
    assert published is not None
    assert published.approval is not None
    return published.approval


def prepare_tables(line: str) -> None:
    """Make sure that the store has a table `survey` exactly if the example is not about its addition."""
    with open_store(load_settings()) as store:
        known = {table.name for table in Tables(store).list()}
    for name in ("survey", "patients"):
        if (f"table add {name} " in line or f"table verify {name} " in line) and name in known:
            assert run(["table", "remove", name, "--yes", "-q"]) == 0
            known.remove(name)
    wanted = " table " in line or "table:survey" in line or "APPROVAL" in line
    if wanted and "table add survey" not in line and "survey" not in known:
        assert run(["table", "add", "survey", "survey.csv", "-q"]) == 0
    if "survey" in known and "table add" not in line and "sex" not in survey_variables():
        assert run(["table", "add", "survey", "survey.csv", "--new-version", "-q"]) == 0
    if "table verify survey" in line:
        # nothing else was released of it that this could be refused with
        words = "table request survey sex,smoking --by ann --out sex-smoking.csv --force -q"
        assert run(words.split()) == 0
    if "--renamed sex=gender" in line:
        Path("gender.csv").write_text(SURVEY.replace("sex", "gender"), encoding="utf-8")
        assert run(["table", "add", "survey", "gender.csv", "--new-version", "-q"]) == 0
    for number, name in enumerate(("panel", "north", "south"), 1):
        if "table overlap" in line and name in line:
            Path("other.csv").write_text(f"{SURVEY}f,no,0-29,unknown,{number}\n", encoding="utf-8")
            assert run(["table", "add", name, "other.csv", "-q"]) == 0


def prepare_microdata(line: str) -> None:
    """Make sure that the store has microdata `people` exactly if the example is not about its addition."""
    if " microdata " not in line:
        return
    with open_store(load_settings()) as store:
        known = Microdata(store).exists("people")
    if "microdata add" in line and known:
        assert run(["microdata", "remove", "people", "--yes", "-q"]) == 0
    if "microdata add" not in line and not known:
        assert run(["microdata", "add", "people", "people.csv", "--roles", "roles.toml", "-q"]) == 0


def survey_variables() -> tuple[str, ...]:
    """Return the variables that the table `survey` has now."""
    with open_store(load_settings()) as store:
        return tuple(variable.name for variable in Tables(store).show("survey").variables)


def prepare_schedules(line: str) -> None:
    """Make sure that the store has a schedule `weekly` alone, or none if the example is about an addition."""
    if " schedule " not in line:
        return
    with open_store(load_settings()) as store:
        known = {schedule.name for schedule in Schedules(store).list()}
        tables = {table.name for table in Tables(store).list()}
    for name in known:
        assert run(["schedule", "remove", name, "--yes", "-q"]) == 0
    if "table:survey" in line and "survey" not in tables:
        assert run(["table", "add", "survey", "survey.csv", "-q"]) == 0
    if "schedule add" not in line:
        assert run(["schedule", "add", "weekly", "network:friends", "--cron", "0 6 * * 1", "-q"]) == 0


def policy_of(audit: str) -> str:
    """Return the digest of the policy under which an audit was made."""
    with open_store(load_settings()) as store:
        return Audits(store).show(audit).policy_hash


def prepare_store() -> str:
    """Make sure that the store has an audited network `friends`; return the id of its audit."""
    with open_store(load_settings()) as store:
        known = Networks(store).exists("friends")
        audited = known and Audits(store).list("network:friends")
    if not known:
        assert run(["network", "add", "friends", "friends.csv", "-q"]) == 0
    if not audited:
        assert run(["network", "audit", "friends", "--k", "3", "-q"]) == 1
    with open_store(load_settings()) as store:
        return Audits(store).list("network:friends")[0].id
