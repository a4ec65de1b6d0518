"""Pages about networks and their exports."""
