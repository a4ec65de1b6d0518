"""A graph database of the owner's on the command line: audited in place, added, looked at again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from auditor.config import Settings
from auditor.store.connection import Connection
from auditor.store.local import ensure_running
from auditor.subjects.networks.live.projection import Projection
from tests.support.commands import Finished, run_auditor
from tests.support.live_graphs import address_of, random_people, write_people

PATTERN = ("--nodes", "Person", "--relationships", "KNOWS")


@pytest.mark.neo4j
@pytest.mark.slow
@pytest.mark.usefixtures("neo4j_connection")
def test_it_is_audited_in_place_added_and_audited_again(
    neo4j_settings: Settings, neo4j_connection: Connection, tmp_path: Path
) -> None:
    people = random_people(3)
    write_people(neo4j_connection, people)
    address, password = address_of(neo4j_settings), ensure_running(neo4j_settings).password

    def run(*arguments: str) -> Finished:
        return run_auditor([*arguments, "--json"], neo4j_settings.home, AUDITOR_GRAPH_PASSWORD=password)

    in_place = run("network", "audit", address, *PATTERN, "--k", "2")
    assert in_place.json["vertices"] == people.n
    assert in_place.json["network"] == f"{address} (:Person)-[:KNOWS]-(:Person)"
    more = run("network", "audit", address, *PATTERN, "--k", "2", "--knowledge", "all")
    assert more.json["blocks"] == in_place.json["blocks"]
    assert "hubs" in more.json["knowledge"]
    assert run("network", "list").json["networks"] == []
    known = run("network", "audit", address, *PATTERN, "--k", "2", "--attribute", "active").json["knowledge"]
    ends = Counter(v for tie in people.ties(Projection(("Person",), ("KNOWS",))) for v in tie)
    looks = Counter((ends[v], people.active[v]) for v in range(people.n))
    assert known["attributes"]["unique_vertices"] == list(looks.values()).count(1)
    assert known["attributes"]["candidate_sets"] > known["degree"]["candidate_sets"]
    none = run("network", "audit", address, *PATTERN, "--attribute", "actve")
    assert (none.code, "no vertex has a property 'actve'" in none.err) == (2, True)

    added = run(
        "network",
        "add",
        "staff",
        "--from",
        address,
        *PATTERN,
        "--key",
        "id",
        "--where",
        "n.id <> 'quagmire'",
        "--attribute",
        "active",
    )
    assert added.code == 0, added.err
    assert added.json["vertices"] == people.n
    assert added.json["source"] == in_place.json["network"]
    assert "quagmire" not in added.out + added.err + run("network", "show", "staff").out
    stored = run("network", "audit", "staff", "--k", "2", "--attribute", "active")
    assert stored.json["knowledge"] == known
    assert stored.json["blocks"] == in_place.json["blocks"]
    assert "same_graph" not in {finding["rule"] for finding in stored.json["findings"]}

    neo4j_connection.execute("CREATE (:Person {id: 100})-[:KNOWS]->(:Person {id: 101})")
    after = run("network", "audit", "staff", "--k", "2")
    assert after.code == 1
    assert "same_graph" in {finding["rule"] for finding in after.json["findings"]}
    assert after.json["blocks"] == in_place.json["blocks"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["audit", "neo4j://db:7687"], "--nodes Person"),
        (["audit", "neo4j://db:7687", "--nodes", "Person"], "--relationships KNOWS"),
        (["audit", "neo4j://ada:swordfish@db:7687", *PATTERN], "must not hold a user or password"),
        (["audit", "neo4j://db:7687", *PATTERN, "--labels"], "--labels does not go together with a graph database"),
        (["audit", "x.parquet", "--edge-table", "--attribute", "sex"], "--attribute does not go together"),
        (["audit", "friends.csv", *PATTERN], "--nodes is about a graph database"),
        (["add", "staff", "friends.csv", "--from", "neo4j://db:7687"], "not both"),
        (["add", "staff"], "give a network file"),
        (["add", "staff", "friends.csv", "--key", "id"], "--key is about a graph database"),
        (["add", "staff", "--from", "neo4j://db:7687", *PATTERN, "--symmetrize"], "--symmetrize is about a file"),
        (["add", "staff", "neo4j://ada:swordfish@db"], "--from"),
        (["anonymize", "neo4j://ada:swordfish@db", "--k", "3", "--out", "x.csv"], "network add NAME --from URL"),
        (["anonymize", "friends.csv", "--k", "3", "--out", "neo4j://ada:swordfish@db"], "network deliver FILE"),
        (["compare", "neo4j://ada:swordfish@db", "friends.csv"], "network add NAME --from URL"),
        (["deliver", "x.csv", "--to", "http://db", "--as-label", "A"], "looks like neo4j://host:7687/database"),
        (["deliver", "x.csv", "--as-label", "A"], "a new folder for files (--to-csv)"),
        (["deliver", "x.csv", "--to", "neo4j://db", "--to-csv", "out", "--as-label", "A"], "leave out one of them"),
        (["deliver", "x.csv", "--to-csv", "out", "--replace", "--as-label", "A"], "--replace does not go together"),
        (["deliver", "x.csv", "--to", "neo4j://db", "--force", "--as-label", "A"], "--force does not go together"),
        (["add", "staff", "--from", "http://db", *PATTERN], "looks like neo4j://host:7687/database"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    done = run_auditor(["network", *arguments], tmp_path)
    assert done.code == 2
    assert said in done.err
    assert "swordfish" not in done.out + done.err
    assert done.err.count("\n") == 1
