"""Who asks, and under which policy the service decides."""

import json
from typing import Any

from auditor.store.policies import policy_text
from auditor.web.api.common import Viewer, router_for
from auditor.web.api.models import Me

router = router_for("service")


@router.get("/me")
def me(call: Viewer) -> Me:
    """Return the person who sends the request, with their rights."""
    return Me.from_record(call.identity, rights=sorted(call.identity.rights))


@router.get("/policy")
def policy(call: Viewer) -> dict[str, Any]:
    """Return the policy of the service, with its digest."""
    return {"digest": call.policy.digest(), "policy": json.loads(call.policy.text())}


@router.get("/policies/{digest}")
def old_policy(call: Viewer, digest: str) -> dict[str, Any]:
    """Return a policy under which something was decided, however long ago."""
    return {"digest": digest, "policy": json.loads(policy_text(call.store, digest))}
