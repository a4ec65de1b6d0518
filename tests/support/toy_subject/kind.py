"""Gardens, as the registry of kinds knows them."""

from __future__ import annotations

from auditor.core.kinds import Contents, EntryKind, SubjectKind

__all__ = ["GARDEN"]

_HERE = "tests.support.toy_subject"

GARDEN = SubjectKind(
    name="garden",
    plural="gardens",
    node="(s:AuditorGarden {name: $name})",
    number="s.change",
    about="(s:AuditorGarden {name: $name})",
    listed="MATCH (g:AuditorGarden) RETURN g.name AS name, 'garden:' + g.name AS key, null AS state, null AS of",
    port=f"{_HERE}.port:GardenPort",
    policy=f"{_HERE}.policy:GardenPolicy",
    contents=Contents(
        keys={"Garden": "name"},
        relations=(("Entry", "ABOUT", "Garden"), ("Audit", "OF", "Garden")),
        schema=("CREATE CONSTRAINT auditor_garden_name IF NOT EXISTS FOR (g:AuditorGarden) REQUIRE g.name IS UNIQUE",),
    ),
    entries={
        "garden_added": EntryKind("a garden was stored", "{who} stored {what}"),
        "garden_removed": EntryKind("a garden was removed", "{who} removed {what}"),
    },
    pages=(f"{_HERE}.pages:router",),
    api=(f"{_HERE}.api:router",),
    templates=(_HERE,),
    navigation=(("/gardens", "Gardens", "view"),),
)
