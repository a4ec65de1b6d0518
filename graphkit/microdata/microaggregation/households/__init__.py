"""Groups that never part a household: what is moved is a household, what is counted are records."""
