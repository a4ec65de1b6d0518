"""What singles records out: equivalence classes, special uniques, diversity and closeness, risk with weights."""
