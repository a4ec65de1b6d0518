"""Who may do what through the service: roles, rights, and tokens that stand for a person."""
