"""A whole policy, its canonical text and its digest."""

from __future__ import annotations

import hashlib
import json

from pydantic import Field, model_validator

from auditor.policy.exports import ExportPolicy
from auditor.policy.network import NetworkPolicy
from auditor.policy.notify import NotifyPolicy
from auditor.policy.roles import RolePolicy
from auditor.policy.table import TablePolicy
from auditor.policy.values import Section

__all__ = ["Policy"]


class Policy(Section):
    """All sections of a policy file; a section that is left out has its defaults.

    A family of subjects that comes later gets a section of its own, as microdata will; what holds for everything that
    leaves the house stays in `exports`.
    """

    network: NetworkPolicy = Field(default=NetworkPolicy(), description="how exposed a network may be")
    table: TablePolicy = Field(default=TablePolicy(), description="what the marginals of a table may give away")
    exports: ExportPolicy = Field(default=ExportPolicy(), description="what holds for everything that leaves the house")
    roles: RolePolicy = Field(default=RolePolicy(), description="who may do what")
    notify: NotifyPolicy = Field(default=NotifyPolicy(), description="who is told what, and where")

    @model_validator(mode="after")
    def _somebody_can_approve(self) -> Policy:
        waits = "second-person" in (self.exports.approval, self.exports.marginal_approval)
        if waits and not self.roles.approve:
            raise ValueError("exports wait for a second person, but roles.approve lets nobody approve")
        return self

    def text(self) -> str:
        """Return the policy as canonical JSON, every default and every value of a preset written out."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def digest(self) -> str:
        """Return the SHA-256 of the canonical text: two policies are the same exactly when this is."""
        return hashlib.sha256(self.text().encode()).hexdigest()
