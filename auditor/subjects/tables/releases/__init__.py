"""What goes out of a table: requests for marginals, decided with all that is out, recorded, then answered."""
