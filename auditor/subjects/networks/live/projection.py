"""What of a property graph is a network: which nodes are vertices, and what ties two of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from auditor.core.errors import BadInput

_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Projection:
    """The simple graph that is seen in a property graph: directions are folded, parallel relationships are one tie.

    Parameters
    ----------
    labels : tuple of str
        Nodes with one of them are vertices.
    types : tuple of str
        Relationships that tie two nodes, or with `through` a node and what it shares with others.
    through : tuple of str
        Labels of what vertices share, such as groups: who shares one is tied. Empty: relationships tie vertices.
    where : str or None
        Cypher condition on a vertex, called ``n``. It may hold a protected value.
    where_relationship : str or None
        Cypher condition on a relationship, called ``r``. It may hold a protected value.
    weight : str or None
        Property of relationships that is summed up over those between two vertices; each counts 1 by default.
    at_least : float
        Sum from which two vertices are tied.
    key : str or None
        Property that names a vertex; the database's own element id by default.
    attributes : tuple of str
        Properties of nodes that are kept as attributes of vertices.

    Raises
    ------
    BadInput
        If a name is empty or no text, there is no label or type, or options do not go together.

    Examples
    --------
    >>> str(Projection(("Person",), ("KNOWS", "LIKES")))
    '(:Person)-[:KNOWS|LIKES]-(:Person)'
    >>> str(Projection(("Person",), ("MEMBER_OF",), through=("Group",)))
    '(:Person)-[:MEMBER_OF]-(:Group)'
    """

    labels: tuple[str, ...]
    types: tuple[str, ...]
    through: tuple[str, ...] = ()
    where: str | None = None
    where_relationship: str | None = None
    weight: str | None = None
    at_least: float = 1.0
    key: str | None = None
    attributes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what no graph can hold, before one is asked."""
        if not self.labels:
            raise BadInput("which nodes are vertices? Name their label: --nodes Person")
        if not self.types:
            raise BadInput("which relationships are ties? Name their type: --relationships KNOWS")
        named = (*self.labels, *self.types, *self.through, *self.attributes)
        for name in (*named, *(one for one in (self.weight, self.key) if one is not None)):
            if not name or len(name) > _LONGEST or not name.isprintable():
                raise BadInput("a label, type or property is empty, too long, or holds characters that do not print")
        for condition in (self.where, self.where_relationship):
            if condition is not None and not condition.strip():
                raise BadInput("a condition is empty; leave --where out, or say what must be true of n")
        if not 0 < self.at_least < float("inf"):
            raise BadInput("--at-least must be a number above 0")
        if self.through and (self.weight is not None or self.where_relationship is not None):
            raise BadInput("--through counts what two vertices share; leave out --weight and --where-relationship")

    def __str__(self) -> str:
        """Return the pattern, without conditions: those may hold a protected value."""
        ends = "|".join(self.through or self.labels)
        return f"(:{'|'.join(self.labels)})-[:{'|'.join(self.types)}]-(:{ends})"

    @property
    def is_plain(self) -> bool:
        """Whether one relationship is enough for a tie."""
        return self.weight is None and self.at_least <= 1


def quoted(names: Iterable[str]) -> str:
    """Return names as a Cypher label or type expression.

    Examples
    --------
    >>> print(quoted(["Person", "a`b"]))
    `Person`|`a``b`
    """
    return "|".join("`" + name.replace("`", "``") + "`" for name in names)
