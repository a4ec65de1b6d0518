"""Work counted in units, search and proof in turns, progress."""
