"""What freeform generalization is compared with: partitions, rings within them, and one flow over pairs."""
