"""Everything in a store in one file, and a store filled from it; files of microdata beside it."""
