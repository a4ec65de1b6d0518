"""Queries about tables: their data, released marginals, versions and overlaps."""
