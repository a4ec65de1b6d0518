"""A store with something on every page; names that would do harm where they are not escaped."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote, urlencode

import numpy as np

from auditor.access.tokens import Tokens
from auditor.approvals.repository import Approvals
from auditor.audits.repository import Audits
from auditor.audits.running import run_audit
from auditor.audits.waivers import Waivers
from auditor.config import EdgeTableSettings
from auditor.exports.destination import Destination
from auditor.exports.repository import Exports
from auditor.formats.networks import read_network
from auditor.formats.records import Roles
from auditor.formats.tables.loaded import LoadedTable, TableNotes
from auditor.policy import ExportPolicy, Policy
from auditor.schedules.repository import NewSchedule, Schedules
from auditor.store import Store
from auditor.subjects.microdata.exports.exporting import MicroaggregationRequest, export_records
from auditor.subjects.microdata.exports.stored_records import StoredRecords
from auditor.subjects.microdata.port import open_unchanged
from auditor.subjects.microdata.repository import MicrodataInfo
from auditor.subjects.networks.exports.exporting import ExportRequest, StoredNetwork, export_network
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from graphkit.hierarchies.variable import Variable
from graphkit.tables.structure.contingency import ContingencyTable
from tests.support.stored_records import add_records

__all__ = ["HARMFUL", "add_wide_table", "furnish", "page_paths"]

HARMFUL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)> {{ 7*7 }} a/b?c#d%2e"
"""A name that is allowed, and must be shown as it is."""

_LONG = "a_name_without_any_place_to_break_" * 5
_COLUMN = HARMFUL.replace('"', "")


def furnish(store: Store, folder: Path) -> None:
    """Add tables, a network, audits, answers, a schedule and a waiver, all with harmful names where there are names."""
    policy = Policy()
    counts = np.array([[[12, 5], [31, 44]], [[1, 7], [29, 9]]])
    variables = [Variable(HARMFUL, ("f", "m")), Variable("ill", (f"yes {HARMFUL}", "no")), Variable("age", ("a", "b"))]
    for name, table in (
        (HARMFUL, ContingencyTable.from_dense(counts, variables)),
        (_LONG, ContingencyTable.from_dense(counts * 3, [Variable(_LONG + str(i), ("f", "m")) for i in range(3)])),
    ):
        Tables(store).add(name, LoadedTable(table, TableNotes(format="csv")), source=HARMFUL, actor=HARMFUL)
    for names in (["age"], [HARMFUL], [HARMFUL, "ill", "age"]):
        answer_request(store, MarginalRequest(HARMFUL, names, policy, by=HARMFUL, actor="ann"), clock=time.monotonic)
    path = folder / "star.csv"
    path.write_text("a,b\na,c\na,d\nb,c\n", encoding="utf-8")
    Networks(store).add(HARMFUL, read_network(path), source=HARMFUL, actor=HARMFUL)
    rows = "".join(f"{row},{'fm'[row % 2]}\n" for row in range(6))
    text, roles = f"{_COLUMN},sex\n{rows}", Roles(quasi_identifiers=(_COLUMN,), sensitive=("sex",))
    records = add_records(store, HARMFUL, folder / "home", text, roles)
    _export(store, records, folder, policy)
    subjects = [f"network:{HARMFUL}", f"table:{HARMFUL}", f"microdata:{HARMFUL}"]
    for subject in subjects:
        run_audit(store, subject, policy, trigger="command", actor=HARMFUL)
    Schedules(store).add(NewSchedule(
        HARMFUL, cron="0 6 * * 1", timezone="Europe/Berlin", subjects=subjects, policy_hash=policy.digest(),
        policy_text=policy.text(), catch_up="last", actor=HARMFUL,
    ))  # fmt: skip
    finding = Audits(store).list(f"network:{HARMFUL}")[0].findings[0]
    until = store.ledger.clock() + timedelta(days=30)
    Waivers(store).add(finding.fingerprint, reason=HARMFUL, until=until, actor=HARMFUL)
    Tokens(store).create(person=HARMFUL[:100], role="viewer", expires_at=until, actor=HARMFUL, note=HARMFUL[:100])


def _export(store: Store, records: MicrodataInfo, folder: Path, policy: Policy) -> None:
    """Make an export of a network and one of records; a second one each waits for a person."""
    waits = policy.model_copy(update={"exports": ExportPolicy(approval="second-person")})
    network = StoredNetwork(store, Networks(store).show(HARMFUL))
    for place, rules in enumerate((policy, waits)):
        export_network(network, ExportRequest(2, Destination(folder / f"{place}.csv", name=HARMFUL), rules, HARMFUL))
        destination = Destination(folder / f"{place}.parquet")
        request = MicroaggregationRequest(
            3, destination, records.declared, engine={"method": "mdav"}, policy=rules, actor=HARMFUL
        )
        with open_unchanged(records, EdgeTableSettings(threads=1)) as opened:
            export_records(opened, request, StoredRecords(store, records))


def add_wide_table(store: Store, name: str, variables: int) -> None:
    """Add a table of many variables with two categories each."""
    rng = np.random.default_rng(1)
    named = [Variable(f"question {i:02}", ("no", "yes")) for i in range(variables)]
    table = ContingencyTable.from_dense(rng.poisson(3, (2,) * variables).astype(np.int64), named)
    Tables(store).add(name, LoadedTable(table, TableNotes(format="csv")), source="made", actor="test")


def page_paths(store: Store) -> list[str]:
    """Return the addresses of all pages that a store has, but for those of administrators."""
    harmful, long = quote(HARMFUL, safe=""), quote(_LONG, safe="")
    marginal = urlencode([("v", HARMFUL), ("v", "age")])
    audit = Audits(store).list(f"network:{HARMFUL}")[0].id
    preview = urlencode({"name": HARMFUL, "cron": "0 6 * * 1", "timezone": "Asia/Tokyo", "subject": f"table:{HARMFUL}"})
    return [
        "/",
        "/?family=table&verdict=none",
        "/tables",
        f"/tables/{harmful}",
        f"/tables/{long}",
        f"/tables/{harmful}/marginal?{marginal}",
        "/microdata",
        f"/microdata/{harmful}",
        "/networks",
        f"/networks/{harmful}",
        "/exports",
        *(f"/exports/{export.id}" for export in Exports(store).list()),
        *(f"/approvals/{approval.id}" for approval in Approvals(store).list()),
        "/findings",
        f"/audits/{audit}",
        "/schedules",
        f"/schedules/{harmful}",
        "/schedules-new",
        f"/schedules-new?{preview}",
        "/jobs",
        "/approvals",
        "/ledger",
        "/ledger?kind=audit&about=planet:mars",
        "/month",
        "/month?rows=all",
        "/month?section=released",
        "/month?period=october",
        "/ledger?by=nobody",
        "/policy",
        "/search?q=a",
        "/help",
        "/help/web",
        "/nowhere",
    ]
