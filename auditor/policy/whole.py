"""A whole policy, its canonical text and its digest."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from typing import TYPE_CHECKING, Any

from pydantic import Field, create_model, model_validator

from auditor.core.kinds import kind_named, kinds, part
from auditor.policy.exports import ExportPolicy
from auditor.policy.notify import NotifyPolicy
from auditor.policy.roles import RolePolicy
from auditor.policy.values import Section

if TYPE_CHECKING:
    from auditor.subjects.microdata.policy import MicrodataPolicy
    from auditor.subjects.networks.policy import NetworkPolicy
    from auditor.subjects.tables.policy import TablePolicy


class Policy(Section):
    """All sections of a policy file; a section that is left out has its defaults.

    Kinds of subjects bring theirs, named in the registry: :func:`policy_model` makes the whole, and
    ``auditor.policy.Policy`` is what it makes.
    """

    if TYPE_CHECKING:
        network: NetworkPolicy = NetworkPolicy()
        table: TablePolicy = TablePolicy()
        microdata: MicrodataPolicy = MicrodataPolicy()
        exports: ExportPolicy = ExportPolicy()
        roles: RolePolicy = RolePolicy()
        notify: NotifyPolicy = NotifyPolicy()

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
    """Return the model of whole policies: the sections of the registered kinds of subjects, then those of all."""
    return _model_of(tuple((kind.name, kind.policy) for kind in kinds() if kind.policy))


@cache
def _model_of(sections: tuple[tuple[str, str], ...]) -> type[Policy]:
    models: dict[str, type[Section]] = {name: part(address) for name, address in sections}
    models |= {"exports": ExportPolicy, "roles": RolePolicy, "notify": NotifyPolicy}
    fields: dict[str, Any] = {
        name: (model, Field(default=model(), description=model.about)) for name, model in models.items()
    }
    return create_model("Policy", __base__=Policy, __module__="auditor.policy", __doc__=Policy.__doc__, **fields)
