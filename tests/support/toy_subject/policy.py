"""The section of a policy about gardens."""

from __future__ import annotations

from pydantic import Field

from auditor.policy.values import Section

__all__ = ["GardenPolicy"]


class GardenPolicy(Section):
    """How many beds a garden may have."""

    most_beds: int = Field(default=3, ge=0, description="a garden has at most so many beds")
