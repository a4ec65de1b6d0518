"""Who is told what: messages about changes, and the ways to send them."""
