"""Engines of disclosure-auditor: pure functions over NumPy arrays and igraph graphs.

No engine opens a store, a socket or a file, reads a clock or uses global randomness.
A seed or a :class:`numpy.random.Generator` and a :class:`~graphkit.budget.Budget` come
in; results that state their claim go out. :mod:`graphkit.machine` is the one module
that reads a clock and draws randomness: for the names that ``graphkit.networks``,
``graphkit.tables`` and ``graphkit.microdata`` offer, where a caller gives a time limit alone
or asks for a release.
"""
