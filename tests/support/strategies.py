"""Hypothesis strategies for graphs and block sequences."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from graphkit.networks.graphs.graph import SimpleGraph

__all__ = ["block_sequences", "graphs"]


@st.composite
def graphs(draw: st.DrawFn, min_n: int = 0, max_n: int = 12) -> SimpleGraph:
    """Simple graphs, from empty to complete."""
    n = draw(st.integers(min_n, max_n))
    pairs = [(u, v) for u in range(n) for v in range(u + 1, n)]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    return SimpleGraph.from_edges(np.array(chosen, dtype=np.int64).reshape(-1, 2), n)


@st.composite
def block_sequences(draw: st.DrawFn, max_degree: int = 8, max_size: int = 12) -> np.ndarray:
    """Block sequences with at least two vertices and an occupied last block."""
    blocks = draw(st.lists(st.integers(0, max_size), min_size=1, max_size=max_degree))
    blocks[-1] = max(blocks[-1], 1)
    if sum(blocks) < 2:
        blocks[-1] = 2
    return np.array(blocks, dtype=np.int64)
