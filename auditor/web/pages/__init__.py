"""Pages for people: rendered here, usable without script, nothing loaded from elsewhere."""
