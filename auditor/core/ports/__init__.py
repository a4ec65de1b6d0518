"""What the ports of the kinds of subjects answer."""
