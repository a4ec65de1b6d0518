"""The page docs/policy.md, written from the models: ``python -m auditor.policy.page docs/policy.md``."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from auditor.policy.keys import Key, known_keys
from auditor.policy.presets import PRESETS
from auditor.policy.sources import SOURCES
from auditor.policy.whole import policy_model

_INTRODUCTION = """\
# Policies

This page is written from the models themselves (`make docs`); a test fails when it is out of date.

A policy states what every release must satisfy, who decides, and who is notified. It is one TOML file. Missing keys
have their defaults; an unknown key is rejected, with the nearest known one in the message.

```toml
preset = "research"        # start with this, and override single keys below

[table]
threshold = 10
answers = ["release", "refuse", "coarsen"]

[exports]
reverify_after_days = 365  # no source names a number: yours

[notify.channels.office]
kind = "email"
address = "officer@example.org"
min_severity = "violation"

[notify.channels.collector]
kind = "webhook"
address_env = "COLLECTOR_URL"   # no secret stands in a policy: it is stored with every audit
secret_env = "COLLECTOR_KEY"
```

| command | does |
|---|---|
| `auditor policy check FILE` | checks a file and prints its digest |
| `auditor policy show [FILE\\|DIGEST]`, `--preset NAME` | shows all values; for a preset with reasons and sources |
| `auditor policy diff A B` | compares two policies key by key, and tells which is stricter |
| `auditor policy explain [KEY]` | explains a key: description, reason, sources, and the values of the presets |
| `auditor policy schema [--out FILE]` | writes the JSON Schema, for editors that check while you type |

Commands that follow a policy have the options `--policy FILE` and `--preset NAME`.

## The digest

Every audit and every answer records the SHA-256 of the policy, and the store keeps its text: canonical JSON with every
value written out, whether it was in the file, came from a preset or is the default. Two policies are the same exactly
when their digests are: a file with `preset = "public"` and one that writes the same values out have one digest, and a
preset that a later version changes has another one. Order and repetition in lists do not count. All sections count,
also `roles` and `notify`: who may approve is a part of the grounds of a decision.

`auditor policy show DIGEST` shows an old policy as it was, also keys that this version does not have; a text that no
longer has its digest is not shown.

## What acts on it

Audits, reports, requests and protected exports follow `[network]`, `[table]` and `[microdata]`; `[notify]` names the
channels ([notifications](notifications.md)). Approval by a second person (`exports.approval`,
`exports.marginal_approval`) is [required everywhere](approvals.md): at a terminal, in schedules and in the service.
`[roles]` applies [in the service](access.md), under the policy that it was started with. A person who runs commands
on a store has no role and is not restricted.
"""
_PRESETS = """
## Presets

Presets are a start: a preset knows neither the data nor the recipients. A key that is not listed keeps its
default. **No number is without a source**, and hence there are few: no source that was found names a k for networks, a
width for intervals, a least number of values or tables, or a time after which to verify again. Where a number was made
for something else (a cell of a table for a block of vertices, rounding for an interval), the description says so. The
defaults without a preset are this program's choice, not a preset: its k of 5 is that of `research`, its threshold of
3 that of
`internal`. A preset is no certificate: only a person who knows the whole rule of an agency can say that it is met.
"""
_STRICTER = {"higher": "larger", "lower": "smaller", "more": "longer", "fewer": "shorter"}


def policy_page() -> str:
    """Return the page about policies as Markdown."""
    parts = [_INTRODUCTION, "## Keys\n"]
    parts.append(
        "*Stricter* is the direction in which a value requires more, all other keys being equal; – if none is known. "
        "A limit without a default requires nothing."
    )
    for name, field in policy_model().model_fields.items():
        rows = [_key_row(key, name) for key in known_keys() if key.name.startswith(f"{name}.")]
        parts.append(f"\n### `[{name}]`: {field.description}\n")
        parts.append(_table(["key", "default", "meaning", "stricter", "why", "see"], rows))
    parts += [_PRESETS, _preset_table()]
    for preset in PRESETS.values():
        rows = [
            [f"`{key}`", _value(choice.value), choice.reason, _cited(choice.sources)]
            for key, choice in preset.choices.items()
        ]
        parts.append(f"\n### `{preset.name}`: {preset.purpose}\n")
        parts += [_table(["key", "value", "because", "see"], rows), f"\nWhere practice differs: {preset.practice}"]
    parts.append("\n## Sources\n")
    listed = [
        [str(number), source.citation, source.says, source.read, f"<{source.address}>" if source.address else "–"]
        for number, source in enumerate(SOURCES.values(), 1)
    ]
    parts.append(_table(["", "source", "says, in our words", "what was read", "where"], listed))
    return "\n".join(parts) + "\n"


def _key_row(key: Key, section: str) -> list[str]:
    rule = key.meaning.stricter
    stricter = "–" if rule is None else " < ".join(rule) if isinstance(rule, tuple) else _STRICTER[rule]
    if rule == "higher" and isinstance(key.default, bool):
        stricter = "true"
    default = "required" if key.required else _value(key.default)
    name = key.name.removeprefix(f"{section}.").replace("*", "NAME")
    return [f"`{name}`", default, key.asks, stricter, key.meaning.why, _cited(key.meaning.sources)]


def _preset_table() -> str:
    """Return the values of all presets, key by key, beside the defaults."""
    names = {key for preset in PRESETS.values() for key in preset.choices}
    rows = []
    for key in known_keys():
        if key.name in names:
            choices = [preset.choices.get(key.name) for preset in PRESETS.values()]
            rows.append([f"`{key.name}`", _value(key.default), *(_value(c.value) if c else "–" for c in choices)])
    return _table(["key", "default", *(f"`{name}`" for name in PRESETS)], rows)


def _cited(sources: Sequence[str]) -> str:
    numbers = {name: number for number, name in enumerate(SOURCES, 1)}
    return ", ".join(f"[{numbers[source]}](#sources)" for source in sources) or "–"


def _value(value: Any) -> str:
    return "none" if value in (None, {}) else f"`{json.dumps(value, ensure_ascii=False)}`"


def _table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    cells = [[" ".join(text.split()).replace("|", "\\|") for text in row] for row in [columns, *rows]]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    return "\n".join([lines[0], "|" + "---|" * len(columns), *lines[1:]])


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(policy_page(), encoding="utf-8")
