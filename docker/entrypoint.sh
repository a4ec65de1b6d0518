#!/bin/sh
# Takes the log-in from a secret in the form of Neo4j's own image, USER/PASSWORD, so that both share one file.
set -eu
if [ -n "${NEO4J_AUTH_FILE:-}" ]; then
    auth=$(cat "$NEO4J_AUTH_FILE")
    export NEO4J_USERNAME="${auth%%/*}" NEO4J_PASSWORD="${auth#*/}"
fi
exec "$@"
