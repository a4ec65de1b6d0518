"""Independent check of a release: from the original, what was written and the claim alone.

Nothing in this folder imports an engine. It may only share the graph type with the rest.
"""

from graphkit.networks.verify.claim import DegreeClaim, Scope, Terms
from graphkit.networks.verify.release import verify_release
from graphkit.verification import Check, Verification

__all__ = ["Check", "DegreeClaim", "Scope", "Terms", "Verification", "verify_release"]
