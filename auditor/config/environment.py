"""Which variable of the environment gives which setting."""

# The first variable that is set wins; `None` as section means the top level of the file.
ENVIRONMENT: tuple[tuple[str, str | None, str], ...] = (
    ("AUDITOR_HOME", None, "home"),
    ("AUDITOR_CACHE", None, "cache"),
    ("AUDITOR_NEO4J_LIB", None, "neo4j_lib"),
    ("AUDITOR_POLICY", None, "policy"),
    ("NEO4J_URI", "store", "url"),
    ("NEO4J_USERNAME", "store", "user"),
    ("NEO4J_USER", "store", "user"),
    ("NEO4J_PASSWORD", "store", "password"),
    ("NEO4J_PASSWORD_FILE", "store", "password_file"),
    ("NEO4J_DATABASE", "store", "database"),
    ("AUDITOR_CONNECTION_TIMEOUT", "store", "connection_timeout"),
    ("AUDITOR_TRANSACTION_TIMEOUT", "store", "transaction_timeout"),
    ("AUDITOR_IDLE_MINUTES", "store", "idle_minutes"),
    ("AUDITOR_STRICT_NOTIFICATIONS", "store", "strict_notifications"),
    ("AUDITOR_EDGE_TABLE_MEMORY", "edge_table", "memory"),
    ("AUDITOR_EDGE_TABLE_THREADS", "edge_table", "threads"),
    ("AUDITOR_EDGE_TABLE_FOLDER", "edge_table", "folder"),
    ("AUDITOR_LOG_FORMAT", "log", "format"),
    ("AUDITOR_LOG_LEVEL", "log", "level"),
    ("AUDITOR_SENT_MESSAGES_DAYS", "retention", "sent_messages_days"),
    ("AUDITOR_DONE_TICKS_DAYS", "retention", "done_ticks_days"),
)
