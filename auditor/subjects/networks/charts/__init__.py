"""Pictures of a network and of its risk."""
