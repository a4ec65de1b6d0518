"""Ways to cut the highest positions into groups: layers that are merged, and a tree with linear programs."""
