"""Who asks, and under which policy the service decides."""

from __future__ import annotations

import json
from typing import Any

from auditor.store.policies import policy_text
from auditor.web.api.common import Served, Viewer, router_for
from auditor.web.api.models import Me

router = router_for("service")


@router.get("/me")
def me(identity: Viewer) -> Me:
    """Tell who asks, and what they may do."""
    return Me(person=identity.person, role=identity.role, rights=sorted(identity.rights))


@router.get("/policy")
def policy(identity: Viewer, service: Served) -> dict[str, Any]:
    """Return the policy of the service, with its digest."""
    return {"digest": service.policy.digest(), "policy": json.loads(service.policy.text())}


@router.get("/policies/{digest}")
def old_policy(digest: str, identity: Viewer, service: Served) -> dict[str, Any]:
    """Return a policy that something was decided under, however long ago."""
    return {"digest": digest, "policy": json.loads(policy_text(service.store.connection, digest))}
