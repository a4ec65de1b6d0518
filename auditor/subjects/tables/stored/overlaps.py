"""Tables that may be of the same people: of one population, or with equal counts by some variable."""

from dataclasses import dataclass

from auditor.core.transactions import Transaction
from auditor.store.records import decode
from auditor.subjects.tables.stored.layout import parse_variables

# read: every name that is or was a table, its last data, and those of its variables that agree
_OVERLAPS = """
MATCH (:AuditorTable {name: $name})-[:HOLDS]->(mine:AuditorTableData)-[:OF]->(p:AuditorTablePopulation)
MATCH (t:AuditorTable|AuditorRemovedTable)-[:HOLDS]->(d:AuditorTableData)
WHERE t.name <> $name AND NOT d.population IN coalesce(properties(p)['unrelated'], [])
  AND (d.population = mine.population OR any(x IN d.variable_checksums WHERE x IN mine.variable_checksums))
RETURN t.name AS name, t:AuditorRemovedTable AS removed, d.population = mine.population AS same_population,
       d.variables AS variables,
       [i IN range(0, size(d.variable_checksums) - 1)
        WHERE d.variable_checksums[i] IN mine.variable_checksums] AS agreeing
ORDER BY name
"""


@dataclass(frozen=True, slots=True)
class TableOverlap:
    """Another table that may be of the same people."""

    name: str
    removed: bool
    """Whether it is no longer in the store; what went out of it is still out."""
    same_population: bool
    """Known to be of same respondents: releases of either count for both."""
    variables: tuple[str, ...]
    """Variables that both have, with the same categories and the same counts."""

    @property
    def sentence(self) -> str:
        """What there is to say about it in one line."""
        which = f"the {'removed ' if self.removed else ''}table {self.name!r}"
        if self.same_population:
            return f"{which} has the same respondents: releases of either count for both"
        return (
            f"{which} has the same counts by {', '.join(self.variables)} and may have the same respondents: "
            "releases of one do not count for the other"
        )


def read_overlaps(tx: Transaction, name: str) -> list[TableOverlap]:
    """Return the other tables, stored or removed, that may be of the same people as this one.

    Notes
    -----
    Two tables of the same people agree in every variable that both have, so one variable in common finds them. Others
    may agree by chance: it is a question to the owner, no verdict.
    """
    found = []
    for record in tx.run(_OVERLAPS, name=name):
        variables = parse_variables(record["variables"])
        agreeing = tuple(variables[axis].name for axis in record["agreeing"])
        found.append(decode(TableOverlap, {**record, "variables": agreeing}))
    return found
