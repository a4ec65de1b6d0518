"""A network of friends whose labels no answer may hold."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import igraph

SECRET = "zebulon"
"""Every label begins with it."""
KARATE = igraph.Graph.Famous("Zachary")


def write_friends(path: Path, edges: Sequence[tuple[int, int]] | None = None) -> Path:
    """A file with edges between friends, those of the karate club by default."""
    pairs = KARATE.get_edgelist() if edges is None else edges
    lines = ["source,target", *(f"{SECRET}{a},{SECRET}{b}" for a, b in pairs)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
