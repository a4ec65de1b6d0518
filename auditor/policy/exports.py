"""Section `[exports]`: what holds for everything that leaves the house."""

from typing import Annotated, Literal

from pydantic import Field

from auditor.policy.meaning import Meaning
from auditor.policy.values import Section

Approval = Literal["none", "second-person"]

_WHY = (
    "A second person sees what the first one overlooks. The second person is never the requester, also not through "
    "another token, and all is checked again at that moment."
)


class ExportPolicy(Section):
    """Who must agree before something is out, and how long a verification counts."""

    about = "what holds for everything that leaves the house"
    approval: Annotated[Approval, Meaning(_WHY, ("none", "second-person"), ("output-checking",))] = Field(
        default="none", description="an export is released at once, or is pending until a second person approves it"
    )
    marginal_approval: Annotated[Approval, Meaning(_WHY, ("none", "second-person"), ("output-checking",))] = Field(
        default="none",
        description="a releasable marginal is released at once, or is pending until a second person approves it",
    )
    reverify_after_days: Annotated[
        int | None,
        Meaning(
            "A file can be changed, and its subject can grow past it. Guidance asks for regular re-audits, and leaves"
            " the interval to the organization: no source names a number, so no preset does.",
            "lower",
            ("wp216", "nist-si-19", "ipc-ontario-2025"),
        ),
    ] = Field(
        default=None,
        ge=1,
        le=36_500,
        strict=True,
        description="a verification that is older counts as stale; without it none is stale by its age",
    )
