"""ICSM: local search of exchanges and migrations, and of cyclic exchanges along shortest paths."""
