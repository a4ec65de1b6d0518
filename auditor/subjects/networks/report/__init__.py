"""Pages about networks, internal and public."""
