"""How pages show things: names that break well, lists, help and the documentation."""
