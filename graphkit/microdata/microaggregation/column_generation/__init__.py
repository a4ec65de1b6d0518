"""Partitions with a proven bound, by column generation: a linear program over groups, which are priced exactly."""
