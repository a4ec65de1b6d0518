"""Engines of disclosure-auditor: pure functions over NumPy arrays and igraph graphs.

Nothing in this package opens a store, a socket or a file, reads a clock or uses
global randomness. A seed or a :class:`numpy.random.Generator` and a
:class:`~graphkit.budget.Budget` come in; results that state their claim go out.
"""
