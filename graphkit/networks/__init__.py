"""Networks: how exposed they are, and versions in which every degree is shared by at least k vertices."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphkit.networks.attackers.knowledge import KNOWLEDGE, structural_risk
    from graphkit.networks.candidates import CandidateRisk
    from graphkit.networks.constraints import Constraints
    from graphkit.networks.driver import DEFAULT_METHOD, anonymize, lower_bound
    from graphkit.networks.graph import SimpleGraph
    from graphkit.networks.graph_view import GraphView
    from graphkit.networks.inspect import audit
    from graphkit.networks.methods.registry import METHODS
    from graphkit.networks.result import Anonymization
    from graphkit.networks.risk import DegreeRisk, degree_risk, is_k_anonymous
    from graphkit.networks.variants.front_door import anonymize_under
    from graphkit.networks.variants.result import ConstrainedAnonymization
    from graphkit.networks.verify import DegreeClaim, Terms, verify_release

__all__ = [
    "DEFAULT_METHOD",
    "KNOWLEDGE",
    "METHODS",
    "Anonymization",
    "CandidateRisk",
    "ConstrainedAnonymization",
    "Constraints",
    "DegreeClaim",
    "DegreeRisk",
    "GraphView",
    "SimpleGraph",
    "Terms",
    "anonymize",
    "anonymize_under",
    "audit",
    "degree_risk",
    "is_k_anonymous",
    "lower_bound",
    "structural_risk",
    "verify_release",
]

# numba and igraph take half a second to import and an audit needs neither: names are looked up when first used
_HOMES = {
    "DEFAULT_METHOD": "driver",
    "KNOWLEDGE": "attackers.knowledge",
    "METHODS": "methods.registry",
    "Anonymization": "result",
    "CandidateRisk": "candidates",
    "ConstrainedAnonymization": "variants.result",
    "Constraints": "constraints",
    "DegreeClaim": "verify",
    "DegreeRisk": "risk",
    "GraphView": "graph_view",
    "SimpleGraph": "graph",
    "Terms": "verify",
    "anonymize": "driver",
    "anonymize_under": "variants.front_door",
    "audit": "inspect",
    "degree_risk": "risk",
    "is_k_anonymous": "risk",
    "lower_bound": "driver",
    "structural_risk": "attackers.knowledge",
    "verify_release": "verify",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
