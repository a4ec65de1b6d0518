"""The high-degree core: its adjacency, violated sets, assignments to levels."""
