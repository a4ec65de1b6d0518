"""The JSON Schema of policy files, for editors and other programs."""

from typing import Any

from auditor.policy.presets import PRESETS
from auditor.policy.whole import policy_model


def policy_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a policy file.

    It knows keys, types and ranges. What several keys must be together, and what an address may hold, only
    :func:`auditor.policy.parse_policy` checks.

    Examples
    --------
    >>> policy_schema()["properties"]["preset"]["enum"]
    ['internal', 'research', 'public']
    """
    schema = policy_model().model_json_schema()
    preset = {
        "type": "string",
        "enum": list(PRESETS),
        "description": "a policy to begin with, whose keys the file overrules one by one",
    }
    properties = {"preset": preset, **schema.pop("properties")}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **schema,
        "title": "Policy of disclosure-auditor",
        "properties": properties,
    }
