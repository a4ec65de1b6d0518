"""Integer programs: proven bounds, consistency of marginals."""
