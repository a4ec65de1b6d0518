"""Whether groups of records that share their values hold what a policy demands of sensitive columns."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from auditor.config import EdgeTableSettings
from auditor.core.errors import Refused
from auditor.core.finding import Finding
from auditor.formats.records.opening import OpenRecords, open_records
from auditor.formats.records.roles import Roles
from auditor.subjects.microdata.auditing import measure_sensitive
from auditor.subjects.microdata.policy import MicrodataPolicy
from auditor.subjects.microdata.rules import sensitive_violations
from graphkit.arrays import Ints
from graphkit.microdata.risk.classes import EquivalenceClasses, equivalence_classes


def keys_demanded(roles: Roles, attributes: Sequence[str], policy: MicrodataPolicy) -> tuple[str, ...]:
    """Return the keys of a policy that demand something of a sensitive column that leaves as it is.

    Parameters
    ----------
    roles : Roles
    attributes : sequence of str
        Columns that are aggregated: of these nothing is demanded.
    policy : MicrodataPolicy

    Examples
    --------
    >>> keys_demanded(Roles(sensitive=("ill",)), ["age"], MicrodataPolicy(distinct_l=2))
    ('microdata.distinct_l',)
    """
    if not _leaving(roles, attributes):
        return ()
    asked = {"distinct_l": policy.distinct_l > 1, "entropy_l": policy.entropy_l > 1, "t": policy.t is not None}
    return tuple(f"microdata.{key}" for key, is_asked in asked.items() if is_asked)


def check_sensitive(
    opened: OpenRecords, roles: Roles, attributes: Sequence[str], groups: Ints, policy: MicrodataPolicy
) -> tuple[str, ...]:
    """Return what to say of the sensitive columns; refuse groups that lack what the policy demands of them.

    Parameters
    ----------
    opened : OpenRecords
    roles : Roles
    attributes : sequence of str
        Columns that are aggregated.
    groups : ndarray of int, shape (n,)
        Group of every record, 0, 1, … without gaps: those that share the values of all attributes. Protected.
    policy : MicrodataPolicy

    Raises
    ------
    Refused
        Naming the key of the policy, and the column.
    """
    keys, names = keys_demanded(roles, attributes, policy), _leaving(roles, attributes)
    if not keys:
        return ()
    classes = EquivalenceClasses(tuple(attributes), groups, np.bincount(groups))
    for found in sensitive_violations(*measure_sensitive(opened, opened.read(names), classes, names, policy), policy):
        raise Refused(
            f"{found.message} (microdata.{found.rule} of the policy), and microaggregation does not mix sensitive "
            "values; take a larger k, or 'auditor microdata generalize', which does"
        )
    return (
        f"what the policy demands of {', '.join(names)} ({', '.join(keys)}) was measured, not enforced: the groups "
        "happen to have it; 'auditor microdata generalize' enforces it",
    )


def released_violations(
    file: Path, roles: Roles, attributes: Sequence[str], policy: MicrodataPolicy
) -> tuple[Finding, ...]:
    """Return what the groups of a released file lack of what a policy demands of its sensitive columns.

    Parameters
    ----------
    file : Path
    roles : Roles
        Of the original.
    attributes : sequence of str
        Columns that were aggregated: records that share all of their values are a group.
    policy : MicrodataPolicy

    Raises
    ------
    BadInput
        If the file cannot be read, or lacks a column.
    """
    if not keys_demanded(roles, attributes, policy):
        return ()
    names = _leaving(roles, attributes)
    with open_records(file, EdgeTableSettings()) as released:
        records = released.read([*attributes, *names])
        classes = equivalence_classes(records, attributes)
        return tuple(sensitive_violations(*measure_sensitive(released, records, classes, names, policy), policy))


def _leaving(roles: Roles, attributes: Sequence[str]) -> tuple[str, ...]:
    return tuple(name for name in roles.sensitive if name not in attributes)
