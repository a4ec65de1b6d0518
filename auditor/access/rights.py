"""Rights, and which role has them. What is not given is denied."""

from collections.abc import Iterable
from typing import Literal, get_args

from auditor.core.errors import BadInput
from auditor.policy import RolePolicy

Role = Literal["viewer", "requester", "officer", "administrator"]
Right = Literal[
    "view",
    "request",
    "look",
    "export",
    "approve",
    "waive",
    "schedule",
    "data",
    "ledger",
    "tokens",
]
"""``view``: names, verdicts, statuses. ``request``: ask for marginals. ``look``: see what is protected, such as bounds;
each look is in the ledger. ``export``: make protected exports. ``approve``, ``waive``, ``schedule``. ``data``: add and
remove networks and tables. ``ledger``: read and verify it. ``tokens``: make and revoke them."""

ROLES: tuple[Role, ...] = get_args(Role)
RIGHTS: tuple[Right, ...] = get_args(Right)

_FIXED: dict[Role, frozenset[Right]] = {
    "viewer": frozenset({"view"}),
    "requester": frozenset({"view", "request"}),
    "officer": frozenset({"view", "request", "look", "export", "schedule", "data", "ledger"}),
    # who makes tokens sees no counts
    "administrator": frozenset({"view", "schedule", "data", "ledger", "tokens"}),
}


def rights_of(role: Role, policy: RolePolicy | None = None) -> frozenset[Right]:
    """Return what a role may do.

    Parameters
    ----------
    role : Role
    policy : RolePolicy, optional
        Who approves and waives; the defaults without one.

    Examples
    --------
    >>> sorted(rights_of("requester"))
    ['request', 'view']
    >>> "approve" in rights_of("officer"), "look" in rights_of("administrator")
    (True, False)
    """
    policy = policy if policy is not None else RolePolicy()
    given: set[Right] = set(_FIXED[role])
    if role in policy.approve:
        given.add("approve")
    if role in policy.waive:
        given.add("waive")
    return frozenset(given)


def narrowed(rights: Iterable[str] | None) -> tuple[Right, ...] | None:
    """Return rights that a token keeps of its person's, in order; None for all.

    Raises
    ------
    BadInput
        If there is no such right, or none is left.
    """
    if rights is None:
        return None
    asked = set(rights)
    for name in sorted(asked - set(RIGHTS)):
        raise BadInput(f"there is no right {name!r}; there are {', '.join(RIGHTS)}")
    if not asked:
        raise BadInput("a token without any right is of no use; name one, or leave --only out for all of the role")
    return tuple(right for right in RIGHTS if right in asked)
