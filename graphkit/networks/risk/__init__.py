"""Risk of a network whose degrees are known."""
