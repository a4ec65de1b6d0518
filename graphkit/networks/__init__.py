"""Networks: how exposed they are, and versions in which every degree is shared by at least k vertices."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphkit.networks.attackers.knowledge import KNOWLEDGE, structural_risk
    from graphkit.networks.constraints import Constraints
    from graphkit.networks.driver import DEFAULT_METHOD, anonymize, lower_bound
    from graphkit.networks.graphs.graph import SimpleGraph
    from graphkit.networks.graphs.graph_view import GraphView
    from graphkit.networks.graphs.interchange import vertex_names
    from graphkit.networks.methods.registry import METHODS
    from graphkit.networks.releasing.released import ReleasedNetwork, ReleaseKey
    from graphkit.networks.releasing.releasing import release
    from graphkit.networks.result import Anonymization
    from graphkit.networks.risk.candidates import CandidateRisk
    from graphkit.networks.risk.degree_risk import DegreeRisk, audit, degree_risk, is_k_anonymous
    from graphkit.networks.variants.constrained import anonymize_under
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
    "ReleaseKey",
    "ReleasedNetwork",
    "SimpleGraph",
    "Terms",
    "anonymize",
    "anonymize_under",
    "audit",
    "degree_risk",
    "is_k_anonymous",
    "lower_bound",
    "release",
    "structural_risk",
    "verify_release",
    "vertex_names",
]

# numba and igraph take half a second to import and an audit needs neither: names are looked up when first used
_NAMES = {
    "attackers.knowledge": ("KNOWLEDGE", "structural_risk"),
    "constraints": ("Constraints",),
    "driver": ("DEFAULT_METHOD", "anonymize", "lower_bound"),
    "graphs.graph": ("SimpleGraph",),
    "graphs.graph_view": ("GraphView",),
    "graphs.interchange": ("vertex_names",),
    "methods.registry": ("METHODS",),
    "releasing.released": ("ReleaseKey", "ReleasedNetwork"),
    "releasing.releasing": ("release",),
    "result": ("Anonymization",),
    "risk.candidates": ("CandidateRisk",),
    "risk.degree_risk": ("DegreeRisk", "audit", "degree_risk", "is_k_anonymous"),
    "variants.constrained": ("anonymize_under",),
    "variants.result": ("ConstrainedAnonymization",),
    "verify": ("DegreeClaim", "Terms", "verify_release"),
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names}
# an engine has no clock: here a time limit alone is enough
_TIMED = {"anonymize", "anonymize_under", "release"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    if name in _TIMED:
        from graphkit.machine import with_clock

        # kept, so that it is the same function every time it is asked for
        found = globals()[name] = with_clock(found, __name__)
    return found


def __dir__() -> list[str]:
    return __all__
