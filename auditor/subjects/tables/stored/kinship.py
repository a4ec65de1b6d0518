"""Whether populations of tables are of the same people: what looks alike is asked, and the answer is recorded.

A population keeps what it was found to look like (`alike`: JSON, names of variables by other population) and which
ones its owner has declared to be of other people (`unrelated`). Populations of the same people become one.
"""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from auditor.core.errors import BadInput, Refused
from auditor.core.plain import plain
from auditor.core.transactions import Transaction
from auditor.ledger.chain import canonical_json
from auditor.store.repository import NewEntry, OpenStore, Repository
from auditor.store.subjects import missing_subject
from auditor.subjects.tables.stored.layout import parse_links, parse_variables
from auditor.subjects.tables.stored.marginals import read_released
from auditor.subjects.tables.stored.rows import read_version
from graphkit.tables.structure.alikeness import alike_marginals, sorted_counts
from graphkit.tables.structure.contingency import ContingencyTable

_MOST_NAMED = 5

# read: all data of other populations
_OTHERS = """
MATCH (d:AuditorTableData) WHERE d.population <> $population
RETURN d.id AS data, d.population AS population, d.version AS version, d.variables AS variables, d.held AS held
ORDER BY population, version
"""
# read
_ALIKE = "MATCH (p:AuditorTablePopulation {id: $population}) RETURN properties(p)['alike'] AS alike"
# write
_SET = "MATCH (p:AuditorTablePopulation {id: $population}) SET p += $values"
# write
_DELETE = "MATCH (p:AuditorTablePopulation {id: $population}) DETACH DELETE p"
# read: populations that look alike, whichever was added first, or have a variable with exactly the same counts
_OPEN = """
MATCH (p:AuditorTablePopulation {id: $population})
MATCH (mine:AuditorTableData {population: $population})
WITH p, collect(mine) AS data
MATCH (q:AuditorTablePopulation) WHERE q.id <> p.id
  AND NOT q.id IN coalesce(properties(p)['unrelated'], []) AND NOT p.id IN coalesce(properties(q)['unrelated'], [])
WITH p, q, data, EXISTS {
    MATCH (d:AuditorTableData {population: q.id})
    WHERE any(one IN data WHERE any(x IN d.variable_checksums WHERE x IN one.variable_checksums))
} AS same
WHERE same OR properties(p)['alike'] CONTAINS q.id OR properties(q)['alike'] CONTAINS p.id
MATCH (t:AuditorTable|AuditorRemovedTable)-[:HOLDS]->(:AuditorTableData {population: q.id})
RETURN q.id AS population, min(t.name) AS name, same,
       properties(p)['alike'] AS mine, properties(q)['alike'] AS theirs,
       EXISTS { (q)<-[:OF]-(:AuditorTableData)<-[:OF]-(m:AuditorMarginal {status: 'released'})
                WHERE NOT m.simulated } AS is_out
ORDER BY name
"""
# read, under the store's lock
_OF_NAME = """
MATCH (t:AuditorTable|AuditorRemovedTable {name: $name})-[:HOLDS]->(:AuditorTableData)-[:OF]->(p:AuditorTablePopulation)
RETURN properties(p) AS population
"""
# read
_DATA = """
MATCH (d:AuditorTableData {population: $population})
RETURN d.id AS data, d.version AS version, properties(d)['links'] AS links ORDER BY version
"""
# write
_MOVE = """
MATCH (d:AuditorTableData {id: $data})-[old:OF]->(:AuditorTablePopulation)
MATCH (p:AuditorTablePopulation {id: $population})
DELETE old
CREATE (d)-[:OF]->(p)
SET d.population = $population, d.version = $version, d.links = $links
"""
# read
_MENTIONING = """
MATCH (p:AuditorTablePopulation) WHERE properties(p)['alike'] CONTAINS $gone
RETURN p.id AS population, p.alike AS alike
"""


@dataclass(frozen=True, slots=True)
class OpenKinship:
    """Another population that looks alike, of which nobody has said whether it is of the same people."""

    table: str
    """One of its tables, stored or removed."""
    marginals: tuple[dict[str, tuple[str, ...]], ...]
    """Variables ``here`` and ``there`` with nearly the same counts; none where single variables agree."""
    released: bool
    """Whether something is out of it: then no answer is given before it is known."""

    @property
    def sentence(self) -> str:
        """What there is to say about it in one line."""
        looks = "has a variable with exactly the same counts"
        if self.marginals:
            here, there = self.marginals[0].values()
            other = "" if here == there else f" (there: {', '.join(there)})"
            looks = f"has nearly the same counts by {', '.join(here)}{other}"
        held = " Requests stay undecided until that is declared." if self.released else ""
        return f"the table {self.table!r} {looks}; do they have respondents in common?{held}"


def note_alike(tx: Transaction, population: str, table: ContingencyTable) -> None:
    """Note which other populations a table that is being added looks like.

    Notes
    -----
    Compared are all marginals by one or two variables: with the counts of all versions that are stored, and, of those
    that are not, with what is out of them.
    """
    here = sorted_counts(table)
    found: dict[str, list[Any]] = {}
    for record in list(tx.run(_OTHERS, population=population)):
        if record["population"] in found:
            continue
        pairs = alike_marginals(here, _counts_of(tx, record))
        if pairs:
            found[record["population"]] = [[[*mine], [*theirs]] for mine, theirs in pairs[:_MOST_NAMED]]
    known = tx.run(_ALIKE, population=population).single(strict=True)["alike"]
    before = json.loads(known) if known is not None else {}
    if found:
        tx.run(_SET, population=population, values={"alike": canonical_json({**before, **found})}).consume()


def open_kinships(tx: Transaction, population: str) -> list[OpenKinship]:
    """Return other populations of which nobody has said whether they are of the same people, though they look alike."""
    found = []
    for record in list(tx.run(_OPEN, population=population)):
        mine = json.loads(record["mine"] or "{}").get(record["population"], [])
        theirs = [pair[::-1] for pair in json.loads(record["theirs"] or "{}").get(population, [])]
        pairs = tuple({"here": tuple(here), "there": tuple(there)} for here, there in mine or theirs)
        found.append(OpenKinship(record["name"], pairs, record["is_out"]))
    return found


def declare_kinship(store: OpenStore, name: str, other: str, *, linked: bool, actor: str) -> None:
    """Record whether two tables are of the same people; if so, their populations become one.

    Parameters
    ----------
    store : OpenStore
    name, other : str
        Tables, stored or removed; `name` is a stored one.
    linked : bool
        Whether they are of the same people, all or some of them.
    actor : str
        Who declares it.

    Raises
    ------
    NotFound
        If there is no such table.
    BadInput
        If both are of one population, or were declared so already.
    Refused
        If they are of the same people, and are to be unrelated: what is out of either counts for both, for good.
    """
    change, both = str(uuid.uuid4()), f"the tables {name!r} and {other!r}"

    def work(tx: Transaction) -> NewEntry | None:
        one, two = (_population(tx, each) for each in (name, other))
        if one.get("kinship_change") == change:
            return None
        if one["id"] == two["id"]:
            if linked:
                raise BadInput(f"{both} have the same respondents already")
            raise Refused(f"{both} have the same respondents; this cannot be undone")
        if linked:
            kept, gone = sorted((one, two), key=lambda each: str(each["created_at"]))
            _join(tx, kept, gone, change)
        elif two["id"] in one.get("unrelated", ()):
            raise BadInput(f"{both} were declared to have other respondents already")
        else:
            for mine, theirs in ((one, two), (two, one)):
                values = {
                    "unrelated": sorted({*mine.get("unrelated", ()), theirs["id"]}),
                    "kinship_change": change,
                    "revision": mine["revision"] + 1,
                }
                tx.run(_SET, population=mine["id"], values=values).consume()
        payload = {"linked": linked, "other": other, "populations": sorted([one["id"], two["id"]])}
        return NewEntry("table_kinship", payload, actor, f"table:{name}")

    Repository(store).change(work)


def _population(tx: Transaction, name: str) -> dict[str, Any]:
    """Return the properties of the population of a table, stored or removed."""
    found = tx.run(_OF_NAME, name=name).single()
    if found is None:
        raise missing_subject("table", name)
    return dict(found["population"])


def _join(tx: Transaction, kept: Mapping[str, Any], gone: Mapping[str, Any], change: str) -> None:
    """Make the data of a population versions of another one, after those that this one has."""
    versions = kept["versions"]
    for record in list(tx.run(_DATA, population=gone["id"])):
        declared = {number + versions: links for number, links in parse_links(record["links"]).items()}
        moved = {
            "data": record["data"],
            "population": kept["id"],
            "version": record["version"] + versions,
            "links": canonical_json(plain(declared)) if declared else None,
        }
        tx.run(_MOVE, moved).consume()
    alike = {
        population: pairs
        for found in (gone, kept)
        for population, pairs in json.loads(found.get("alike", "{}")).items()
        if population not in (kept["id"], gone["id"])
    }
    values = {
        "versions": versions + gone["versions"],
        # what is being decided about either begins anew
        "revision": max(kept["revision"], gone["revision"]) + 1,
        "alike": canonical_json(alike),
        # a population that is unrelated to a part of them may be related to the rest
        "unrelated": sorted({*kept.get("unrelated", ())} & {*gone.get("unrelated", ())}),
        "kinship_change": change,
    }
    tx.run(_SET, population=kept["id"], values=values).consume()
    tx.run(_DELETE, population=gone["id"]).consume()
    for record in list(tx.run(_MENTIONING, gone=gone["id"])):
        named = json.loads(record["alike"])
        named.setdefault(kept["id"], named.pop(gone["id"]))
        tx.run(_SET, population=record["population"], values={"alike": canonical_json(named)}).consume()


def _counts_of(tx: Transaction, record: Mapping[str, Any]) -> dict[tuple[str, ...], NDArray[np.int64]]:
    table = read_version(tx, record["data"]) if record["held"] else None
    if table is not None:
        return sorted_counts(table)
    names = [variable.name for variable in parse_variables(record["variables"])]
    return {
        tuple(names[axis] for axis in marginal.axes): np.sort(marginal.counts)[::-1]
        for marginal in read_released(tx, record["data"])
        if len(marginal.axes) <= 2 and not marginal.simulated and marginal.counts is not None
    }
