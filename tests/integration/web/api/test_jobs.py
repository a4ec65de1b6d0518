"""Long work: real processes that are cancelled, killed and resumed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from auditor.access.tokens import Tokens
from auditor.exports.repository import Exports
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.formats.records import Roles
from auditor.policy import Policy
from auditor.subjects.networks.repository import Networks
from auditor.web.jobs.repository import Jobs
from auditor.web.jobs.runner import JobRunner
from graphkit.networks.graphs.graph import SimpleGraph
from tests.support.stored_records import add_records
from tests.support.waiting import wait_until
from tests.support.web_service import ServedStore

pytestmark = pytest.mark.neo4j

JOBS = "/api/v1/jobs"
LONG = {"kind": "frontier", "table": "wide", "time_limit": 600}


@pytest.fixture
def running(site: ServedStore) -> Iterator[ServedStore]:
    """A service that does jobs."""
    site.add_data()
    site.service.runner = JobRunner(site.service)
    site.service.runner.start()
    yield site
    site.service.runner.stop()


def add_wide_table(site: ServedStore) -> None:
    """Add a table whose frontier takes long."""
    import random

    chance = random.Random(1)
    rows = [",".join(f"v{axis}" for axis in range(14)) + ",count"]
    cells = {tuple(chance.choice("abc") for _ in range(14)) for _ in range(400)}
    rows += [",".join(cell) + f",{chance.randint(1, 4)}" for cell in sorted(cells)]
    content = "\n".join(rows).encode() + b"\n"
    answer = site.client("officer").post("/api/v1/tables", data={"name": "wide"}, files={"file": ("wide.csv", content)})
    assert answer.status_code == 201, answer.text


def ended(site: ServedStore, id: str, seconds: float = 90) -> dict[str, Any]:
    until = time.monotonic() + seconds
    while True:
        job: dict[str, Any] = site.client("officer").get(f"{JOBS}/{id}").json()
        if job["state"] not in ("waiting", "running"):
            return job
        assert time.monotonic() < until, job
        time.sleep(0.1)


def started(site: ServedStore, body: dict[str, Any]) -> str:
    answer = site.client("officer").post(JOBS, json=body)
    assert answer.status_code == 202
    assert answer.headers["Location"] == f"{JOBS}/{answer.json()['id']}"
    return str(answer.json()["id"])


def running_phase(site: ServedStore, id: str) -> None:
    until = time.monotonic() + 60
    while (job := Jobs(site.store).show(id)).state != "running" or job.phase is None:
        assert time.monotonic() < until, job
        assert not job.ended, job
        time.sleep(0.05)


def process_of(id: str) -> list[int]:
    """Return the processes that are at a job: there is one, its parent is this one."""
    found = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(os.getpid())], capture_output=True, text=True, check=True
    )
    return [int(line.split()[0]) for line in found.stdout.splitlines() if "auditor.web.jobs.process" in line]


def test_an_export_is_made_verified_recorded_and_downloaded(running: ServedStore) -> None:
    job = ended(running, started(running, {"kind": "anonymize", "network": "friends", "k": 2}))
    assert job["state"] == "done", job
    export = job["result"]["export"]
    client = running.client("officer")
    assert client.get(f"/api/v1/exports/{export}").json()["state"] == "published"
    answer = client.get(f"/api/v1/exports/{export}/file")
    assert answer.status_code == 200
    assert answer.content.startswith(b"source,target")
    # the runner looks once a second whether a process has ended
    counted = 'auditor_jobs_ended_total{kind="anonymize",state="done"} 1.0'
    wait_until(lambda: counted in client.get("/metrics").text)
    assert running.client("viewer").get(f"/api/v1/exports/{export}/file").status_code == 403
    # a file that is not what was verified is not given out
    path = Path(Exports(running.store).show(export).path)
    path.chmod(0o600)
    path.write_bytes(path.read_bytes() + b"0,1\n")
    assert client.get(f"/api/v1/exports/{export}/file").status_code == 409


def test_a_frontier_can_be_that_of_one_marginal(running: ServedStore) -> None:
    asked = {"kind": "frontier", "table": "survey", "within": ["sex"]}
    job = ended(running, started(running, asked))
    assert (job["state"], job["result"]["within"], job["result"]["complete"]) == ("done", ["sex"], True)
    refused = running.client("officer").post(JOBS, json={**asked, "within": ["sex", "size"]})
    assert refused.status_code == 422
    assert "no variable 'size'" in refused.text


def test_an_export_of_records_is_made_from_their_page(running: ServedStore, tmp_path: Path) -> None:
    rows = "".join(f"{name},{20 + name},{name % 2}\n" for name in range(12))
    add_records(running.store, "people", tmp_path, f"name,age,sex\n{rows}", Roles(("name",), ("age", "sex")))
    browser = running.logged_in("officer")
    page = browser.get("/microdata/people").text
    assert "/microdata/people/microaggregate" in page
    csrf = page.partition('name="csrf" value="')[2].partition('"')[0]
    fields = {"k": "5", "attributes": ["age"], "keep_integers": "true", "csrf": csrf}
    begun = browser.post("/microdata/people/microaggregate", data=fields, follow_redirects=False)
    assert begun.status_code == 303, begun.text
    job = ended(running, begun.headers["location"].removeprefix("/jobs/"))
    assert job["state"] == "done", job
    export = job["result"]["export"]
    assert f'href="/exports/{export}"' in browser.get(begun.headers["location"]).text
    client = running.client("officer")
    assert client.get(f"/api/v1/exports/{export}").json()["claim"]["whole_numbers"] == ["age"]
    lines = client.get(f"/api/v1/exports/{export}/file").text.splitlines()
    assert (lines[0], len(lines)) == ("age,sex", 13)
    assert (
        "Every combination of values of its attributes is that of 5 records or more"
        in browser.get(f"/exports/{export}").text
    )
    assert f"/exports/{export}" in browser.get("/microdata/people").text
    asked = {"kind": "microaggregate", "microdata": "people", "k": 5}
    for wrong in (
        {"attributes": ["height"]},
        {"attributes": ["age"], "aggregates": {"age": "mode"}},
        {"attributes": ["age"], "attribute_weights": {"sex": 2}},
        {"attributes": ["age"], "ordinal": {"age": ["1", "1"]}},
        {"attributes": ["name"]},
    ):
        answer = client.post(JOBS, json={**asked, **wrong})
        assert answer.status_code == 422, (wrong, answer.text)


def test_how_records_are_aggregated_is_chosen_on_their_page(running: ServedStore, tmp_path: Path) -> None:
    rows = "".join(f"{20 + name if name % 4 else ''},{name % 2},{'ab'[name % 2]}\n" for name in range(12))
    roles = Roles((), ("age", "sex", "region"))
    add_records(running.store, "people", tmp_path, f"age,sex,region\n{rows}", roles)
    browser = running.logged_in("officer")
    csrf = browser.get("/microdata/people").text.partition('name="csrf" value="')[2].partition('"')[0]
    fields = {"k": "5", "attributes": ["age", "sex", "region"], "nominal": ["sex"], "csrf": csrf}
    chosen = {"aggregate": "median", "scaling": "range", "missing": "impute"}
    begun = browser.post("/microdata/people/microaggregate", data=fields | chosen, follow_redirects=False)
    assert begun.status_code == 303, begun.text
    job = ended(running, begun.headers["location"].removeprefix("/jobs/"))
    assert job["state"] == "done", job
    claim = running.client("officer").get(f"/api/v1/exports/{job['result']['export']}").json()["claim"]
    assert claim["aggregates"] == {"age": "median", "sex": "mode", "region": "mode"}
    assert claim["missing"] == "impute"


def test_records_are_generalized_by_hierarchies_that_their_page_names(running: ServedStore, tmp_path: Path) -> None:
    rows = "".join(f"{20 + name},{1300 + name % 5},{name % 2}\n" for name in range(20))
    add_records(running.store, "people", tmp_path, f"age,zip,sex\n{rows}", Roles((), ("age", "zip"), stratum="sex"))
    browser = running.logged_in("officer")
    csrf = browser.get("/microdata/people").text.partition('name="csrf" value="')[2].partition('"')[0]
    url, fields = "/microdata/people/generalize", {"k": "5", "attributes": ["age", "zip"], "csrf": csrf}
    for wrong, said in (("zip", "such as zip=prefixes"), ("zip=/etc/passwd", "files are for the command")):
        refused = browser.post(url, data=fields | {"hierarchies": wrong}, follow_redirects=False)
        assert refused.status_code in (409, 422)
        assert said in refused.text
    none = browser.post(url, data=fields | {"suppress": "80"}, follow_redirects=False)
    assert none.status_code in (409, 422)
    assert "fewer than k" in none.text
    begun = browser.post(url, data=fields | {"hierarchies": "zip=prefixes", "suppress": "10"}, follow_redirects=False)
    assert begun.status_code == 303, begun.text
    job = ended(running, begun.headers["location"].removeprefix("/jobs/"))
    assert job["state"] == "done", job
    claim = running.client("officer").get(f"/api/v1/exports/{job['result']['export']}").json()["claim"]
    assert claim["generalized"] == {"age": "range", "zip": "tree"}
    assert claim["stratum"] == "sex"
    assert claim["n"] + claim.get("suppressed", 0) == 20


def test_a_page_says_what_is_demanded_of_sensitive_columns_and_more_can_be(
    running: ServedStore, tmp_path: Path
) -> None:
    rows = "".join(f"{20 + name},{name % 4},{name % 3}\n" for name in range(24))
    roles = Roles((), ("age",), ("illness",))
    add_records(running.store, "people", tmp_path, f"age,illness,region\n{rows}", roles)
    browser = running.logged_in("officer")
    shown = browser.get("/microdata/people").text
    assert "the policy demands 2 different values" in shown
    csrf = shown.partition('name="csrf" value="')[2].partition('"')[0]
    url, fields = "/microdata/people/generalize", {"k": "5", "attributes": ["age"], "csrf": csrf}
    for wrong, said in (
        ({"distinct": "3"}, "a number for each sensitive column"),
        ({"distinct": "illness=many"}, "a number for each sensitive column"),
        ({"entropy": "illness=nan"}, "a number for each sensitive column"),
        ({"distinct": "illness=2.5"}, "whole number"),
        ({"distinct": "illness=0"}, "policy requires distinct_l"),
        ({"distinct": "height=3"}, "no column"),
        ({"distinct": "age=3"}, "generalized"),
        ({"t": "illness=7"}, "from 0 to 1"),
    ):
        refused = browser.post(url, data=fields | wrong, follow_redirects=False)
        assert refused.status_code in (400, 403, 409, 422), wrong
        assert said in refused.text, wrong
    begun = browser.post(url, data=fields | {"distinct": "illness=3", "t": "illness=0.5"}, follow_redirects=False)
    assert begun.status_code == 303, begun.text
    job = ended(running, begun.headers["location"].removeprefix("/jobs/"))
    assert job["state"] == "done", job
    claim = running.client("officer").get(f"/api/v1/exports/{job['result']['export']}").json()["claim"]
    (demanded,) = claim["sensitive"]
    assert (demanded["column"], demanded["distinct"], demanded["t"]) == ("illness", 3, "0.5")


def test_every_file_of_an_export_is_given_out_while_all_are_what_was_verified(running: ServedStore) -> None:
    lonely = LoadedNetwork(SimpleGraph.from_edges([(0, 1), (1, 2), (3, 4)], n=7), np.arange(7))
    Networks(running.store).add("lonely", lonely, source="lonely.csv", actor="ann")
    job = ended(running, started(running, {"kind": "anonymize", "network": "lonely", "k": 2}))
    url = f"/api/v1/exports/{job['result']['export']}"
    client = running.client("officer")
    shown = client.get(url).json()
    first, second = shown["files"]
    assert second.endswith(".vertices.csv")
    assert "files" not in shown["claim"]
    answer = client.get(f"{url}/files/{second}")
    assert answer.status_code == 200
    assert answer.content.splitlines()[0].strip(b'"') == b"id"
    assert len(answer.content.splitlines()) == 8
    assert client.get(f"{url}/files/{first}").content == client.get(f"{url}/file").content
    assert client.get(f"{url}/files/{first}.manifest.json").status_code == 404
    page = client.get(url.removeprefix("/api/v1"), headers={"accept": "text/html"})
    assert f"/files/{second}" in page.text
    path = Path(Exports(running.store).show(job["result"]["export"]).path).with_name(second)
    path.chmod(0o600)
    path.write_bytes(path.read_bytes() + b"7\n")
    assert client.get(f"{url}/file").status_code == client.get(f"{url}/files/{second}").status_code == 409


def test_what_cannot_be_done_fails_with_a_reason(running: ServedStore) -> None:
    wrong = {"kind": "anonymize", "network": "friends", "k": 2, "keep": ["height"]}
    job = ended(running, started(running, wrong))
    assert job["state"] == "failed"
    assert "height" in job["reason"]
    assert "Traceback" not in job["reason"]
    assert Exports(running.store).list() == []


def test_the_policy_asks_for_more(running: ServedStore) -> None:
    running.service.policy = Policy()
    answer = running.client("officer").post(JOBS, json={"kind": "anonymize", "network": "friends", "k": 2})
    assert answer.status_code == 409
    assert "network.k" in answer.json()["detail"]


def test_an_export_waits_for_a_second_person_where_the_policy_says_so(running: ServedStore) -> None:
    given = {"network": {"k": 2}, "exports": {"approval": "second-person"}}
    running.service.policy = Policy.model_validate(given)
    job = ended(running, started(running, {"kind": "anonymize", "network": "friends", "k": 2}))
    assert job["state"] == "done", job
    export, approval = job["result"]["export"], job["result"]["approval"]
    officer = running.client("officer")
    assert officer.get(f"/api/v1/exports/{export}").json()["state"] == "pending"
    assert officer.get(f"/api/v1/exports/{export}/file").status_code == 409
    # who asked cannot, also through another token, whatever its person is written like
    for client in (officer, running.client(running.token(" Officer".strip().upper(), "officer"))):
        assert client.post(f"/api/v1/approvals/{approval}/approve").status_code == 409
    other = running.client(running.token("olga", "officer"))
    assert other.post(f"/api/v1/approvals/{approval}/approve").json()["state"] == "approved"
    assert officer.get(f"/api/v1/exports/{export}/file").status_code == 200


def test_a_job_about_nothing_is_refused_at_once(running: ServedStore) -> None:
    answer = running.client("officer").post(JOBS, json={"kind": "audit", "subjects": ["network:nothing"]})
    assert answer.status_code == 404


def test_more_than_a_network_has_is_refused_at_once(running: ServedStore) -> None:
    answer = running.client("officer").post(JOBS, json={"kind": "anonymize", "network": "friends", "k": 6})
    assert answer.status_code == 422
    assert "more than the network has vertices" in answer.json()["detail"]


def test_a_job_that_is_cancelled_ends_and_can_be_resumed(running: ServedStore) -> None:
    add_wide_table(running)
    id = started(running, LONG)
    running_phase(running, id)
    client = running.client("officer")
    assert client.post(f"{JOBS}/{id}/cancel").json()["state"] == "cancelled"
    until = time.monotonic() + 20
    while process_of(id):
        assert time.monotonic() < until, "its process goes on"
        time.sleep(0.1)
    assert client.post(f"{JOBS}/{id}/cancel").status_code == 200
    assert client.post(f"{JOBS}/{id}/resume").json()["state"] in ("waiting", "running")
    running_phase(running, id)
    client.post(f"{JOBS}/{id}/cancel")


def test_a_job_whose_process_was_killed_is_interrupted_and_resumed(running: ServedStore) -> None:
    add_wide_table(running)
    id = started(running, LONG)
    running_phase(running, id)
    (process,) = process_of(id)
    os.kill(process, signal.SIGKILL)
    now = running.store.ledger.clock
    running.store.ledger.clock = lambda: now() + timedelta(minutes=1)
    client = running.client("officer")
    assert client.get(f"{JOBS}/{id}").json()["state"] == "interrupted"
    running.store.ledger.clock = now
    running.store.connection.execute("MATCH (j:AuditorJob {id: $id}) SET j.parameters = $given", id=id, given=(
        '{"table": "survey", "time_limit": 20}'
    ))  # fmt: skip
    running.store.ledger.clock = lambda: now() + timedelta(minutes=1)
    assert client.post(f"{JOBS}/{id}/resume").status_code == 202
    running.store.ledger.clock = now
    job = ended(running, id)
    assert job["state"] == "done", job
    assert job["result"]["table"] == "survey"
    # the ledger has the look of who asked, and of nobody else
    other = running.client(running.token("olga", "officer"))
    assert other.get(f"{JOBS}/{id}").json()["result"] is None


def test_a_job_ends_with_the_service_that_began_it(site: ServedStore) -> None:
    given = '{"job": "x"}\n'
    code = "import sys, auditor.web.jobs.process as p, threading, time\n"
    code += "sys.stdin.readline(); threading.Thread(target=p._end_with, args=(sys.stdin,)).start(); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, text=True)
    assert process.stdin is not None
    process.stdin.write(given)
    process.stdin.close()
    assert process.wait(20) == 143


def test_how_a_job_goes_on_is_streamed_until_it_ends(running: ServedStore) -> None:
    id = started(running, {"kind": "audit", "subjects": ["table:survey", "network:friends"]})
    with running.client("officer").stream("GET", f"{JOBS}/{id}/events") as answer:
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        lines = [line for line in answer.iter_lines() if line]
    assert all(line.startswith("data: {") for line in lines)
    assert '"state": "done"' in lines[-1]


def test_streams_of_one_token_are_limited_and_those_that_ended_make_room(site: ServedStore) -> None:
    site.add_data()
    id = started(site, {"kind": "audit", "subjects": ["table:survey"]})
    officer, most = site.client("officer"), site.service.limits.streams
    token = next(one.id for one in Tokens(site.store).list() if one.person == "officer")
    places = [site.service.streams.enter(token) for _ in range(most)]
    refused = officer.get(f"{JOBS}/{id}/events")
    assert refused.status_code == 429
    assert refused.headers["Retry-After"] == "5"
    assert f"{most} streams of this token are open" in refused.json()["detail"]
    # others have theirs, and nothing but streams is refused
    assert officer.get(f"{JOBS}/{id}").status_code == 200
    officer.post(f"{JOBS}/{id}/cancel")
    assert site.client("administrator").get(f"{JOBS}/{id}/events").status_code == 200
    places.pop().close()
    # every stream gives its place back
    assert [officer.get(f"{JOBS}/{id}/events").status_code for _ in range(3)] == [200, 200, 200]


def test_only_what_ended_badly_is_resumed(running: ServedStore) -> None:
    id = started(running, {"kind": "audit", "subjects": ["table:survey"]})
    assert ended(running, id)["state"] == "done"
    client = running.client("officer")
    assert client.post(f"{JOBS}/{id}/resume").status_code == 409
    assert client.post(f"{JOBS}/{id}/cancel").status_code == 409
    assert client.get(f"{JOBS}/nothing").status_code == 404
