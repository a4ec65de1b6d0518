"""Walks over the tables with given marginals."""
