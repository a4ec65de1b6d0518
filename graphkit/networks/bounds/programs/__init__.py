"""Integer programs over groups of hubs, and the rows that bring their linear programs near whole solutions."""
