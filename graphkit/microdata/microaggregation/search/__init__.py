"""The default method: simulated annealing over exact moves of records between groups near each other."""
