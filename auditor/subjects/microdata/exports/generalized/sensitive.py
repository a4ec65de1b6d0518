"""What is demanded of sensitive columns that leave as they are, and of households: by requester, policy and roles."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from auditor.core.errors import BadInput, Refused
from auditor.core.finding import Finding
from auditor.formats.records.categories import categories_of
from auditor.formats.records.columns import WithColumns
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.exports.generalized.domains import coded
from auditor.subjects.microdata.exports.numeric import read_households
from auditor.subjects.microdata.policy import MicrodataPolicy
from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.microdata.demand import Demand
from graphkit.microdata.risk.relation import quoted

EACH = ""
"""In the place of a column: each with the role sensitive."""


@dataclass(frozen=True, slots=True)
class Demanding:
    """What is demanded, by column or for :data:`EACH`."""

    distinct: Mapping[str, int] = field(default_factory=dict)
    entropy: Mapping[str, float] = field(default_factory=dict)
    t: Mapping[str, float] = field(default_factory=dict)

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that are named."""
        return tuple(dict.fromkeys(name for held in (self.distinct, self.entropy, self.t) for name in held if name))

    def of(self, column: str) -> tuple[int, float, float | None]:
        """Return l, entropy l and t that are demanded of a column."""
        distinct = self.distinct.get(column, self.distinct.get(EACH, 1))
        entropy = self.entropy.get(column, self.entropy.get(EACH, 1.0))
        return distinct, entropy, self.t.get(column, self.t.get(EACH))


@dataclass(frozen=True, slots=True, eq=False)
class SensitiveValues:
    """Demands with the values of their columns. Protected."""

    demands: tuple[Demand, ...] = ()
    values: tuple[tuple[str | None, ...], ...] = ()
    """Of each demand, the values of its column by rank; None is what is missing, the last. Of households none."""
    codes: tuple[Ints, ...] = ()
    """Of each demand, the value of every record; the number of its household."""

    def published(self, connection: Any, relation: str) -> tuple[Ints, ...] | None:
        """Return the values of every record of a relation; None if one is no value of the original.

        Households are those of the original: they are not published.
        """
        found = tuple(
            own if demand.of_households else coded(connection, relation, demand.sensitive, values)
            for demand, values, own in zip(self.demands, self.values, self.codes, strict=True)
        )
        return None if any((codes < 0).any() for codes in found) else found


def demands_for(
    opened: WithColumns,
    roles: Roles,
    generalized: Sequence[str],
    asked: Demanding,
    policy: MicrodataPolicy | None,
    k: int,
) -> tuple[Demand, ...]:
    """Return the demands on sensitive columns, and that on households where there are some: each hides among k.

    Parameters
    ----------
    opened : WithColumns
    roles : Roles
    generalized : sequence of str
        Columns that are generalized: nothing can be demanded of these.
    asked : Demanding
    policy : MicrodataPolicy, optional
        A policy that counts: its `distinct_l`, `entropy_l` and `t` hold for each sensitive column that leaves as it is.
    k : int

    Raises
    ------
    BadInput
        If a column is missing, does not leave or is generalized, or what is demanded makes no sense.
    Refused
        If less is asked for than the policy demands.
    """
    for name in asked.columns:
        opened.named(name)
        if name in (*roles.kept_back, roles.household) or name in generalized:
            how = "generalized" if name in generalized else "not published"
            raise BadInput(f"column {name!r} is {how}; l and t are for sensitive columns that leave as they are")
    sensitive = tuple(name for name in roles.sensitive if name not in generalized)
    if not sensitive and any(EACH in held for held in (asked.distinct, asked.entropy, asked.t)):
        raise BadInput(
            "no column is declared as sensitive; name it (--l illness=2), or declare it: --sensitive illness"
        )
    found = []
    for name in dict.fromkeys((*sensitive, *asked.columns)):
        distinct, entropy, t = asked.of(name) if name in (*sensitive, *asked.columns) else (1, 1.0, None)
        if policy is not None and name in sensitive:
            distinct, entropy, t = _with_policy(name, asked, policy)
        if distinct == 1 and entropy == 1 and t is None:
            continue
        ordered = opened.named(name).sort in ("number", "time")
        try:
            found.append(Demand(name, distinct, entropy, t, "ordered" if ordered else "equal"))
        except InvalidInput as error:
            raise BadInput(str(error)) from error
    if roles.household is not None:
        found.append(Demand(roles.household, distinct=k, of_households=True))
    return tuple(found)


def _with_policy(name: str, asked: Demanding, policy: MicrodataPolicy) -> tuple[int, float, float | None]:
    distinct, entropy, t = asked.of(name)
    required = {"distinct_l": policy.distinct_l, "entropy_l": policy.entropy_l, "t": policy.t}
    less = {
        "distinct_l": distinct != 1 and distinct < policy.distinct_l,
        "entropy_l": entropy != 1 and entropy < policy.entropy_l,
        "t": t is not None and policy.t is not None and t > policy.t,
    }
    for key, is_less in less.items():
        if is_less:
            raise Refused(
                f"the policy requires {key} = {required[key]:g} (microdata.{key}); of {name!r} less is asked for"
            )
    return max(distinct, policy.distinct_l), max(entropy, policy.entropy_l), policy.t if t is None else t


def claimed_violations(claimed: Sequence[Demand], demanded: Sequence[Demand]) -> Iterator[Finding]:
    """Yield what is demanded of sensitive columns and not claimed of them.

    Parameters
    ----------
    claimed, demanded : sequence of Demand
        At most one of a column each.

    Examples
    --------
    >>> [found] = claimed_violations([Demand("ill", distinct=2)], [Demand("ill", distinct=3)])
    >>> found.rule, found.message
    ('distinct_l', "it claims 2 values of 'ill'; the policy requires 3 values by now")
    """
    held = {demand.sensitive: demand for demand in claimed if not demand.of_households}
    for demand in demanded:
        claim, where = held.get(demand.sensitive), demand.sensitive
        distinct, entropy, t = (1, 1.0, None) if claim is None else (claim.distinct, claim.entropy, claim.t)
        message = f"it claims {'nothing' if claim is None else claim.text} of {where!r}; the policy requires "
        if distinct < demand.distinct:
            text = f"{message}{demand.distinct} values by now"
            yield Finding("distinct_l", where, "violation", demand.distinct - distinct, 0, text)
        if entropy < demand.entropy:
            text = f"{message}an entropy of {demand.entropy:g} values by now"
            yield Finding("entropy_l", where, "violation", demand.entropy - entropy, 0, text)
        # what is not claimed may be as far as can be
        far = t if claim is not None and t is not None and claim.distance == demand.distance else math.inf
        if demand.t is not None and far > demand.t:
            text = f"{message}a distance of {demand.t:g} at most by now"
            yield Finding("t", where, "violation", min(far, 1.0), demand.t, text)


def read_sensitive(opened: OpenRecords, demands: Sequence[Demand]) -> SensitiveValues:
    """Return the values of the columns of demands, by rank where these are ordered.

    Raises
    ------
    BadInput
        If a column is not there.
    BadFile
        If the records cannot be read.
    """
    values, codes = [], []
    with record_errors(opened.source):
        for demand in demands:
            name = opened.named(demand.sensitive).name
            if demand.of_households:
                values.append(())
                codes.append(read_households(opened, name))
                continue
            if demand.distance == "ordered":
                value = quoted(name)
                selected = f'SELECT CAST({value} AS VARCHAR) FROM "{VIEW}" GROUP BY {value} ORDER BY {value} NULLS LAST'
                there = tuple(text for (text,) in opened.connection.execute(selected).fetchall())
            else:
                there = categories_of(opened.connection, VIEW, name)
            values.append(there)
            codes.append(coded(opened.connection, VIEW, name, there))
    return SensitiveValues(tuple(demands), tuple(values), tuple(codes))
