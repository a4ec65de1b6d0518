"""Pages about tables and their marginals."""
