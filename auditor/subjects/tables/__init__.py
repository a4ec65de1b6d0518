"""Contingency tables as a kind of subject."""
