"""Graph databases of an owner: people who know each other and belong to groups, beside the auditor's own store."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from auditor.config import Settings
from auditor.config.log_in import GraphSettings
from auditor.store.connection import Connection
from auditor.store.local import ensure_running
from auditor.subjects.networks.live.projection import Projection

__all__ = ["People", "address_of", "graph_settings", "random_people", "write_people"]


@dataclass(frozen=True, slots=True)
class People:
    """What is in the graph: persons 0 to n − 1, others after them, and relationships as (from, to, year)."""

    n: int
    others: int
    active: tuple[bool, ...]
    knows: tuple[tuple[int, int, int], ...]
    member: tuple[tuple[int, int], ...]
    """Vertex and group."""
    groups: int

    def ties(self, projection: Projection) -> set[tuple[int, int]]:
        """Return the ties of a projection by a naive reading; conditions are `n.active` and `r.year > 2010`."""
        vertices = set(range(self.n + (self.others if len(projection.labels) > 1 else 0)))
        if projection.where is not None:
            vertices = {v for v in vertices if v < self.n and self.active[v]}
        sums: Counter[tuple[int, int]] = Counter()
        if projection.through:
            held = {v: {g for w, g in self.member if w == v} for v in vertices}
            for a, b in combinations(sorted(vertices), 2):
                sums[a, b] = len(held[a] & held[b])
        else:
            for a, b, year in self.knows:
                if a != b and {a, b} <= vertices and (projection.where_relationship is None or year > 2010):
                    sums[min(a, b), max(a, b)] += 1 if projection.weight is None else year
        return {pair for pair, total in sums.items() if total and total >= projection.at_least}

    def vertices(self, projection: Projection) -> list[int]:
        """Return the vertices of a projection."""
        among = range(self.n + (self.others if len(projection.labels) > 1 else 0))
        return [v for v in among if projection.where is None or (v < self.n and self.active[v])]


def random_people(seed: int) -> People:
    """Return a graph with loops, parallel relationships in both directions, others, isolated persons."""
    rng = np.random.default_rng(seed)
    n, others, groups = int(rng.integers(1, 9)), int(rng.integers(0, 3)), int(rng.integers(1, 4))
    ends = rng.integers(0, n + others, (int(rng.integers(0, 25)), 2)).tolist()
    return People(
        n,
        others,
        tuple(bool(value) for value in rng.integers(0, 3, n)),
        tuple((a, b, int(year)) for (a, b), year in zip(ends, rng.integers(2005, 2016, len(ends)), strict=True)),
        tuple((int(v), int(g)) for v, g in zip(rng.integers(0, n, 10), rng.integers(0, groups, 10), strict=True)),
        groups,
    )


def write_people(connection: Connection, people: People) -> None:
    """Put people into a graph database that holds none."""
    rows = [
        {"id": v, "label": "Person" if v < people.n else "Robot", "active": people.active[v] if v < people.n else None}
        for v in range(people.n + people.others)
    ]
    connection.execute(
        "UNWIND $rows AS row CREATE (v:Being {id: row.id, active: row.active}) "
        "FOREACH (_ IN CASE row.label WHEN 'Person' THEN [1] ELSE [] END | SET v:Person) "
        "FOREACH (_ IN CASE row.label WHEN 'Robot' THEN [1] ELSE [] END | SET v:Robot)",
        rows=rows,
    )
    connection.execute("UNWIND range(0, $groups - 1) AS g CREATE (:Group {id: g})", groups=people.groups)
    connection.execute(
        "UNWIND $rows AS row MATCH (a:Being {id: row[0]}) MATCH (b:Being {id: row[1]}) "
        "CREATE (a)-[:KNOWS {year: row[2]}]->(b)",
        rows=[list(row) for row in people.knows],
    )
    connection.execute(
        "UNWIND $rows AS row MATCH (a:Being {id: row[0]}) MATCH (g:Group {id: row[1]}) CREATE (a)-[:IN]->(g)",
        rows=[list(row) for row in people.member],
    )


def address_of(settings: Settings) -> str:
    """Return the address of the server that runs as the local store, as somebody else's graph database."""
    return ensure_running(settings).url


def graph_settings(settings: Settings) -> Settings:
    """Return settings with the log-in of the server that runs as the local store."""
    password = ensure_running(settings).password
    return settings.model_copy(update={"graph": GraphSettings.model_validate({"password": password})})
