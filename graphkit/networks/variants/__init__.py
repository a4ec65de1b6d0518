"""Anonymization under constraints: subsets, forbidden edges and vertices, bounded growth, deletions, later versions.

All of them are one problem: vertices fall into classes, each of which is to be k-anonymous by itself, some vertices
are fixed, some pairs are forbidden (:mod:`~graphkit.networks.variants.problem`).
"""
