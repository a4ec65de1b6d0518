"""Outer bounds by propagation (the shuttle algorithm)."""
