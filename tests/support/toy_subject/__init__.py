"""Gardens: a kind of subject that no line of the program knows; it shows what a kind has to bring along."""
