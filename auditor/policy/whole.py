"""A whole policy, its canonical text and its digest."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import Any, cast

from pydantic import Field, create_model, model_validator

from auditor.core.kinds import kind_named, kinds, part
from auditor.policy.exports import ExportPolicy
from auditor.policy.network import NetworkPolicy
from auditor.policy.notify import NotifyPolicy
from auditor.policy.roles import RolePolicy
from auditor.policy.table import TablePolicy
from auditor.policy.values import Section


class Policy(Section):
    """All sections of a policy file; a section that is left out has its defaults.

    A kind of subject that names a section in the registry has it here, too: :func:`policy_model` is the whole.
    """

    network: NetworkPolicy = Field(default=NetworkPolicy(), description="how exposed a network may be")
    table: TablePolicy = Field(default=TablePolicy(), description="what the marginals of a table may give away")
    exports: ExportPolicy = Field(default=ExportPolicy(), description="what holds for everything that leaves the house")
    roles: RolePolicy = Field(default=RolePolicy(), description="rights of the roles")
    notify: NotifyPolicy = Field(default=NotifyPolicy(), description="notifications: channels and events")

    @model_validator(mode="after")
    def _somebody_can_approve(self) -> Policy:
        waits = "second-person" in (self.exports.approval, self.exports.marginal_approval)
        if waits and not self.roles.approve:
            raise ValueError("exports await approval by a second person, but roles.approve allows nobody to approve")
        return self

    def section(self, kind: str) -> Any:
        """Return the section of a kind of subject: its model, with all defaults where the policy does not have it."""
        if kind in type(self).model_fields:
            return getattr(self, kind)
        return part(kind_named(kind).policy)()

    def text(self) -> str:
        """Return the policy as canonical JSON, every default and every value of a preset written out."""
        return json.dumps(self.model_dump(mode="json"), sort_keys=True, separators=(",", ":"), ensure_ascii=False)

    def digest(self) -> str:
        """Return the SHA-256 of the canonical text: two policies are the same exactly when this is."""
        return hashlib.sha256(self.text().encode()).hexdigest()


def policy_model() -> type[Policy]:
    """Return the model of whole policies, with the sections that registered kinds of subjects add."""
    return _model_of(tuple((kind.name, kind.policy) for kind in kinds() if kind.policy))


@cache
def _model_of(sections: tuple[tuple[str, str], ...]) -> type[Policy]:
    if not sections:
        return Policy
    added: dict[str, Any] = {name: (part(address), part(address)()) for name, address in sections}
    return cast("type[Policy]", create_model("Policy", __base__=Policy, **added))
