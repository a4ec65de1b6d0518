"""Pages about networks, for the house and for the public."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from auditor.subjects.networks.report.network_report import Making, NetworkReport, Release
    from auditor.subjects.networks.report.pages import Edition, render_network_report

__all__ = ["Edition", "Making", "NetworkReport", "Release", "render_network_report"]

# pictures of tables are in this package, too, and need none of what is measured of networks
_HOMES = {
    "Edition": "pages",
    "Making": "network_report",
    "NetworkReport": "network_report",
    "Release": "network_report",
    "render_network_report": "pages",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
