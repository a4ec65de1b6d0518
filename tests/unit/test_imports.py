"""The rooms and doors of docs/architecture.md, read from the source itself."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("graphkit", "auditor", "cli")
FAMILIES = ("graphkit.networks", "graphkit.tables", "graphkit.microdata")

FOR_ALL_FAMILIES = (
    "graphkit.arrays",
    "graphkit.budget",
    "graphkit.doors",
    "graphkit.effort",
    "graphkit.errors",
    "graphkit.hierarchies",
    "graphkit.kernels",
    "graphkit.machine",
    "graphkit.frames",
    "graphkit.numbers",
    "graphkit.parameters",
    "graphkit.presentation",
    "graphkit.solver",
    "graphkit.verification",
    "graphkit.words",
)

# the packages that others rest on, and what of ours they may import beside themselves; for all others no ring is enough
DOORS: dict[str, tuple[str, ...]] = {
    "graphkit": (),
    "graphkit.hierarchies": ("graphkit.arrays", "graphkit.errors"),
    "graphkit.microdata": FOR_ALL_FAMILIES,
    "graphkit.networks": FOR_ALL_FAMILIES,
    "graphkit.tables": FOR_ALL_FAMILIES,
    "auditor.core": ("graphkit",),
    "auditor.config": ("auditor.core", "graphkit"),
    "auditor.ledger": ("auditor.core", "graphkit"),
    "auditor.policy": ("auditor.core", "graphkit"),
    "auditor.formats": ("auditor.config", "auditor.core", "graphkit"),
    "auditor.store": ("auditor.config", "auditor.core", "auditor.ledger", "graphkit"),
    "auditor": ("auditor", "graphkit"),
    "cli": ("auditor", "graphkit"),
}

# kinds of subjects add sections to a policy through the registry; the type checker alone sees where they are from
SECTIONS_OF_KINDS = {
    "auditor.subjects.microdata.policy",
    "auditor.subjects.networks.policy",
    "auditor.subjects.tables.policy",
}

MOST_MODULES = 20
"""In one folder, `__init__` included: more show no parts."""

# an engine has no store, file, socket, clock, environment or randomness of its own
CLOSED_TO_ENGINES = {
    "datetime", "http", "io", "logging", "multiprocessing", "neo4j", "os", "pathlib", "random", "requests", "secrets",
    "shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time", "urllib", "uuid",
}  # fmt: skip
# the one module of the package that touches the machine, and who may: the API of the packages, no engine
MACHINE = "graphkit.machine"
USES_MACHINE = {
    "graphkit.doors",
    "graphkit.microdata.releasing.releasing",
    "graphkit.networks.releasing.releasing",
}
OF_THE_MACHINE = {"os", "time"}
SEEDED = {"BitGenerator", "Generator", "PCG64", "SeedSequence", "default_rng"}
HEAVY = {
    "apscheduler",
    "cryptography",
    "fastapi",
    "igraph",
    "jinja2",
    "matplotlib",
    "neo4j",
    "networkx",
    "numba",
    "numpy",
    "pyarrow",
    "pydantic",
    "scipy",
}
RARELY_USED = {"duckdb", "ibis", "pandas", "pyarrow", "pyspark"}


@dataclass(frozen=True)
class Import:
    """One imported module, and when it is imported."""

    importer: str
    imported: str
    line: int
    when: str  # "start" of the importer, "call" of a function, "typing" only

    def __str__(self) -> str:
        return f"{self.importer}:{self.line} imports {self.imported}"


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {module_name(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))}
TREES = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in SOURCES.items()}


def imports_of(name: str, tree: ast.AST, modules: set[str], is_package: bool) -> Iterator[Import]:
    """Every import statement of a module, those inside functions included."""

    def visit(node: ast.AST, when: str) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                for alias in child.names:
                    yield Import(name, alias.name, child.lineno, when)
            elif isinstance(child, ast.ImportFrom):
                base = child.module or ""
                if child.level:
                    package = name.split(".") if is_package else name.split(".")[:-1]
                    kept = package[: len(package) - child.level + 1]
                    base = ".".join([*kept, base] if base else kept)
                for alias in child.names:
                    full = f"{base}.{alias.name}"
                    yield Import(name, full if full in modules else base, child.lineno, when)
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
                yield from visit(child, when if when == "typing" else "call")
            elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.dump(child.test):
                yield from visit(child, "typing")
            else:
                yield from visit(child, when)

    yield from visit(tree, "start")


IMPORTS = [
    item
    for name, tree in TREES.items()
    for item in imports_of(name, tree, set(SOURCES), SOURCES[name].name == "__init__.py")
]
# what the stub of a package imports is imported when it is first asked for
IMPORTS += [
    replace(item, when="call")
    for name, path in SOURCES.items()
    if path.with_suffix(".pyi").exists()
    for item in imports_of(name, ast.parse(path.with_suffix(".pyi").read_text(encoding="utf-8")), set(SOURCES), True)
]


def is_within(name: str, room: str) -> bool:
    return name == room or name.startswith(room + ".")


def room_of(name: str) -> str:
    return max((room for room in DOORS if is_within(name, room)), key=len)


def is_allowed(item: Import) -> bool:
    if item.imported.split(".")[0] not in PACKAGES:
        return True
    room = room_of(item.importer)
    if any(is_within(item.imported, door) for door in DOORS[room]):
        return True
    if item.imported in PACKAGES:  # the package itself holds its version, no more
        return item.imported == item.importer.split(".")[0]
    return is_within(item.imported, room) and (room in ("cli", "auditor") or room_of(item.imported) == room)


def folder_of(name: str, depth: int) -> str:
    """The folder that a module lies in, `depth` names deep: what is in it is one part of the house."""
    folder = name if name not in SOURCES or SOURCES[name].name == "__init__.py" else name.rpartition(".")[0]
    return ".".join(folder.split(".")[:depth])


def ring_of(imports: list[Import], depth: int) -> list[str]:
    """The parts of one ring, or nothing; imports inside functions count, imports for types alone do not."""
    graph: dict[str, set[str]] = {}
    for item in imports:
        if item.when == "typing" or item.imported.split(".")[0] not in PACKAGES:
            continue
        here, there = folder_of(item.importer, depth), folder_of(item.imported, depth)
        if not is_within(here, there) and not is_within(there, here):
            graph.setdefault(here, set()).add(there)
    return first_cycle(graph)


def cycle_in(imports: list[Import]) -> list[str]:
    """The modules of one import cycle at start-up, or nothing."""
    graph: dict[str, set[str]] = {}
    for item in imports:
        if item.when != "start" or item.imported.split(".")[0] not in PACKAGES:
            continue
        parts = item.imported.split(".")
        # importing a.b.c also runs a and a.b, unless they are already running
        reached = {".".join(parts[:end]) for end in range(1, len(parts) + 1)}
        graph.setdefault(item.importer, set()).update(r for r in reached if not is_within(item.importer, r))
    return first_cycle(graph)


def first_cycle(graph: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_imports_go_through_the_doors() -> None:
    wrong = [item for item in IMPORTS if not is_allowed(item)]
    typed = [item for item in wrong if (item.importer, item.when) == ("auditor.policy.whole", "typing")]
    assert {item.imported for item in typed} == SECTIONS_OF_KINDS
    assert not [str(item) for item in wrong if item not in typed]


def test_no_import_cycle() -> None:
    assert cycle_in(IMPORTS) == []


@pytest.mark.parametrize("depth", [2, 3, 4], ids=["packages", "folders", "inner folders"])
def test_no_ring_of_packages(depth: int) -> None:
    assert ring_of(IMPORTS, depth) == []


def test_no_folder_is_crowded() -> None:
    folders = Counter(path.parent.relative_to(ROOT) for path in SOURCES.values())
    assert [str(folder) for folder, modules in folders.items() if modules > MOST_MODULES] == []


def test_a_ring_is_seen() -> None:
    around = [
        Import("auditor.store.ledger", "auditor.audits.running", 1, "call"),
        Import("auditor.audits.repository", "auditor.store.ledger", 1, "start"),
    ]
    assert set(ring_of(around, 2)) == {"auditor.store", "auditor.audits"}
    assert ring_of([replace(around[0], when="typing"), around[1]], 2) == []
    siblings = [
        Import("auditor.web.api.jobs", "auditor.web.pages.jobs", 1, "start"),
        Import("auditor.web.pages.jobs", "auditor.web.api.jobs", 1, "start"),
    ]
    assert ring_of(siblings, 2) == []
    assert set(ring_of(siblings, 3)) == {"auditor.web.api", "auditor.web.pages"}


def test_kinds_of_subjects_are_reached_through_the_registry() -> None:
    inside = ("auditor.subjects", "cli")
    wrong = [
        str(item)
        for item in IMPORTS
        if is_within(item.imported, "auditor.subjects")
        and item.when != "typing"
        and not any(is_within(item.importer, room) for room in inside)
    ]
    assert not wrong


def test_the_stand_alone_verifier_imports_nothing_of_ours() -> None:
    verifier = [item for item in IMPORTS if item.importer == "auditor.ledger.verifier"]
    assert verifier
    assert not [str(item) for item in verifier if item.imported.split(".")[0] in PACKAGES]


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("graphkit.networks.risk.degree_risk", "auditor.core.errors"),
        ("graphkit.networks.risk.degree_risk", "graphkit.tables.structure.frechet"),
        ("graphkit.budget", "graphkit.networks.risk"),
        ("graphkit.hierarchies.hierarchy", "graphkit.tables.structure.contingency"),
        ("graphkit.hierarchies.grouping", "graphkit.microdata.records"),
        ("graphkit.microdata.records", "graphkit.tables.structure.contingency"),
        ("auditor.core.kinds", "auditor.subjects.networks.kind"),
        ("auditor.store.backups.restoring", "cli.terminal.output"),
        ("auditor.formats.source", "auditor.store"),
        ("auditor.store.ledger", "auditor.audits.running"),
    ],
)
def test_a_wrong_direction_is_seen(importer: str, imported: str) -> None:
    assert not is_allowed(Import(importer, imported, 1, "call"))


@pytest.mark.parametrize("family", FAMILIES)
def test_all_families_may_share_hierarchies(family: str) -> None:
    assert is_allowed(Import(f"{family}.engine", "graphkit.hierarchies.grouping", 1, "start"))


def test_a_cycle_is_seen() -> None:
    around = [Import("auditor.a", "auditor.b", 1, "start"), Import("auditor.b", "auditor.a", 1, "start")]
    assert set(cycle_in(around)) == {"auditor.a", "auditor.b"}
    broken = [around[0], Import("auditor.b", "auditor.a", 1, "call")]
    assert cycle_in(broken) == []


def test_engine_families_do_not_know_each_other() -> None:
    for item in IMPORTS:
        ours = [f for f in FAMILIES if is_within(item.importer, f)]
        theirs = [f for f in FAMILIES if is_within(item.imported, f)]
        assert not (ours and theirs and ours != theirs), str(item)


def impurities(tree: ast.AST) -> list[str]:
    """What an engine must not do: open files, print, or use randomness that nobody seeded."""
    found = []
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in ("open", "print", "input")
        ):
            found.append(f"line {node.lineno}: {node.func.id}()")
        if (
            isinstance(node, ast.Attribute)
            and ast.unparse(node.value) in ("np.random", "numpy.random")
            and node.attr not in SEEDED
        ):
            found.append(f"line {node.lineno}: global random state, np.random.{node.attr}")
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("default_rng") and not node.args:
            found.append(f"line {node.lineno}: default_rng() without a seed")
    return found


def test_engines_are_pure() -> None:
    wrong = [
        str(item)
        for item in IMPORTS
        if is_within(item.importer, "graphkit")
        and item.importer != MACHINE
        and item.imported.split(".")[0] in CLOSED_TO_ENGINES
    ]
    wrong += [
        f"{name}, {what}" for name, tree in TREES.items() if is_within(name, "graphkit") for what in impurities(tree)
    ]
    assert not wrong


def test_only_the_api_of_the_packages_uses_the_machine() -> None:
    inside = [item for item in IMPORTS if is_within(item.importer, "graphkit")]
    assert {item.importer for item in inside if item.imported == MACHINE} == USES_MACHINE
    taken = {item.imported.split(".")[0] for item in inside if item.importer == MACHINE}
    assert taken & CLOSED_TO_ENGINES == OF_THE_MACHINE
    # the package's door binds the clock when a name is first used; no engine is imported by what binds it
    assert not [item for item in inside if item.importer == MACHINE and is_within(item.imported, "graphkit")]


def test_the_verifier_imports_no_engine() -> None:
    allowed = {
        "graphkit.arrays",
        "graphkit.networks.verify",
        "graphkit.networks.graphs.graph",
        "graphkit.presentation",
        "graphkit.errors",
        "graphkit.verification",
    }
    verifier = [item for item in IMPORTS if is_within(item.importer, "graphkit.networks.verify")]
    ours = {item.imported for item in verifier if is_within(item.imported, "graphkit")}
    assert not {name for name in ours if not any(is_within(name, room) for room in allowed)}


@pytest.mark.parametrize("code", ["np.random.shuffle(x)", "open('x')", "np.random.default_rng()", "print(1)"])
def test_an_impurity_is_seen(code: str) -> None:
    assert impurities(ast.parse(code))


def test_a_seeded_generator_is_pure() -> None:
    assert not impurities(ast.parse("rng = np.random.default_rng(seed); g: np.random.Generator"))


def test_the_driver_is_imported_in_the_store_alone() -> None:
    wrong = [
        str(item)
        for item in IMPORTS
        if item.imported.split(".")[0] == "neo4j"
        and item.when != "typing"
        and not is_within(item.importer, "auditor.store")
    ]
    assert not wrong


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from cli.app import run; run(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert "Usage: auditor" in done.stdout
    assert not HEAVY & set(done.stderr.split())


def test_no_module_of_ours_imports_what_few_commands_use() -> None:
    # pandas comes with Ibis; the Neo4j driver imports it where it finds it, which doubles the start of every command
    code = """
import importlib, pkgutil, sys
import auditor, cli, graphkit
for package in (auditor, cli, graphkit):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
print(*sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(done.stdout.split())
    assert "neo4j" in loaded
    assert not RARELY_USED & loaded
