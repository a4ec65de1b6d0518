"""Records that are left out, so that the others lose less."""
