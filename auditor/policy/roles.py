"""Section `[roles]`: who may do what."""

from typing import Annotated, Literal

from pydantic import Field

from auditor.policy.meaning import Meaning
from auditor.policy.values import Section, in_order_of

Decider = Literal["officer", "administrator"]
Shown = Literal["requester", "officer"]


class RolePolicy(Section):
    """Rights that an organization gives differently; all others are fixed, and what is not given is denied.

    They hold for the service, where somebody logs in. Whoever may run commands on the store may do all that they do.
    """

    about = "rights of the roles"
    approve: Annotated[
        tuple[Decider, ...],
        in_order_of(Decider),
        Meaning(
            "A person who creates tokens should not also decide with them: administrators are excluded by default. "
            "Viewers and requesters never approve.",
            "fewer",
            ("output-checking",),
        ),
    ] = Field(default=("officer",), description="roles that may approve what is pending, never of their own")
    waive: Annotated[
        tuple[Decider, ...],
        in_order_of(Decider),
        Meaning("A waiver takes a finding out of the verdict until it expires.", "fewer"),
    ] = Field(default=("officer",), description="roles that may waive a finding")
    see_proposals: Annotated[
        tuple[Shown, ...],
        in_order_of(Shown),
        Meaning(
            "A proposal discloses what was tried and would have been refused, which is more than the refusal "
            "discloses. It is also the most helpful answer for requesters.",
            "fewer",
            ("kenthapadi-2005",),
        ),
    ] = Field(
        default=("officer",), description="roles that see which merged categories are proposed in place of a refusal"
    )
