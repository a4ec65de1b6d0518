"""Release of a protected network: relabelled, verified, with its key."""
