"""What is told of things, as objects for JSON: the same from a command and from the web service."""
