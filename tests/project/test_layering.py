"""Imports point one way, and rules neither reach the world nor depend on the order of a set.

The checks read the source with `ast` and run nothing. `LAYERS` says what each layer may import;
ARCHITECTURE.md says why.
"""

import ast
import functools
import gc
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import attrs
import pytest

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("commands", "protocol", "content", "server", "client")

OUTSIDE_WORLD: Final = frozenset(
    [
        "asyncio",
        "concurrent",
        "ctypes",
        "http",
        "importlib",
        "io",
        "logging",
        "mmap",
        "multiprocessing",
        "os",
        "pathlib",
        "queue",
        "random",
        "sched",
        "secrets",
        "select",
        "selectors",
        "shutil",
        "signal",
        "socket",
        "socketserver",
        "sqlite3",
        "ssl",
        "subprocess",
        "tempfile",
        "threading",
        "time",
        "urllib",
        "uuid",
    ]
)
"""Standard library modules that reach files, the network, other threads, a clock or chance."""

ANYTHING: Final = ("*",)
GAMES: Final = ("protocol.games", "content.games", "server.games", "client.games")
"""Packages with a folder for every game."""


@attrs.frozen
class Layer:
    """The imports that modules under a dotted name may have; the longest matching name decides."""

    name: str
    ours: tuple[str, ...]
    """Our own modules, each with all below it; the layer's own name is always among them."""
    theirs: tuple[str, ...]
    """Distributions that the layer may import, by import name."""
    banned: frozenset[str] = frozenset()
    """Modules of the standard library that the layer may not import."""
    never: tuple[str, ...] = ()
    """Our own modules that stay shut although `ours` would open them."""


CONTENT_NEEDS: Final = (
    *("protocol.common", "protocol.boards", "protocol.codec", "protocol.errors"),
    "protocol.memo",
)
PURE_CONTENT: Final = (
    *("content.reading.formulas", "content.reading.parts", "content.reading.meanings"),
    "content.language.walk",
)
"""Modules that schemas are built from: classes alone, as pure as schemas are."""
SERVER_PARTS: Final = (
    *("protocol", "content", "server.kernel", "server.storage"),
    *("server.net", "server.identity", "server.lobby", "server.admin"),
)

LAYERS: Final = (
    Layer("protocol", (), ("attrs", "msgpack", "cryptography"), OUTSIDE_WORLD, never=GAMES),
    Layer("protocol.games", ("protocol",), ("attrs",), OUTSIDE_WORLD),
    # It imports the folders of a game by its name.
    Layer("protocol.plugs", (), (), OUTSIDE_WORLD - {"importlib"}),
    # It prints the table of kinds, and is run by hand; nothing imports it.
    Layer(
        "protocol.describe",
        ("protocol",),
        ("attrs",),
        OUTSIDE_WORLD - {"importlib", "pathlib"},
        never=GAMES,
    ),
    # A pack is read from files, also from inside an installed wheel.
    Layer(
        "content",
        CONTENT_NEEDS,
        ("attrs", "yaml"),
        OUTSIDE_WORLD - {"importlib", "io", "os", "pathlib"},
        never=GAMES,
    ),
    # A pack is written for one game: its skills, harms and kinds of token are that game's pieces.
    Layer(
        "content.games",
        (*CONTENT_NEEDS, "content", "protocol.games"),
        ("attrs", "yaml"),
        OUTSIDE_WORLD - {"importlib", "io", "os", "pathlib"},
    ),
    *(Layer(name, (), ("attrs",), OUTSIDE_WORLD, never=GAMES) for name in PURE_CONTENT),
    # A library for the games: it reads no files itself, and knows none of them.
    Layer(
        "content.language",
        (*CONTENT_NEEDS, "content.reading"),
        ("attrs",),
        OUTSIDE_WORLD,
        never=(*GAMES, "content.plugs"),
    ),
    # The game of a pack is found by its name.
    Layer(
        "content.plugs",
        (*CONTENT_NEEDS, "content", "protocol.plugs"),
        ("attrs",),
        OUTSIDE_WORLD - {"importlib"},
        never=GAMES,
    ),
    # The schema is what rules see: it is as pure as they are.
    Layer(
        "content.games.*.schema",
        (*CONTENT_NEEDS, *PURE_CONTENT, "protocol.games"),
        ("attrs",),
        OUTSIDE_WORLD,
    ),
    Layer(
        "server.games",
        (
            *("content.games.*.schema", *PURE_CONTENT),
            *("protocol", "server.kernel.game", "server.kernel.asking", "server.kernel.asks"),
            *("server.kernel.steps", "server.kernel.hindsight"),
            "server.rulekit",
        ),
        ("attrs",),
        OUTSIDE_WORLD | {"datetime"},
    ),
    # What rules share is as pure as they are, and knows no game.
    Layer(
        "server.rulekit",
        (
            *("content.language", *PURE_CONTENT),
            *("protocol", "server.kernel.game", "server.kernel.asking", "server.kernel.asks"),
            "server.kernel.steps",
        ),
        ("attrs",),
        OUTSIDE_WORLD | {"datetime"},
        never=GAMES,
    ),
    Layer(
        "server.kernel",
        ("protocol",),
        ("attrs", "cryptography", "msgpack"),
        OUTSIDE_WORLD - {"logging"},
        never=GAMES,
    ),
    Layer(
        "server.storage",
        ("protocol",),
        ("attrs", "apsw", "twisted", "zope"),
        frozenset(),
        never=GAMES,
    ),
    *(
        Layer(
            f"server.{part}", SERVER_PARTS, ANYTHING, frozenset({"random", "asyncio"}), never=GAMES
        )
        for part in ("net", "identity", "lobby", "admin")
    ),
    # How every command starts, and the words it starts with.
    Layer(
        "commands",
        ("protocol.common.templates", "protocol.common.visible"),
        ("attrs", "platformdirs", "tomlkit"),
        OUTSIDE_WORLD - {"importlib", "io", "os", "pathlib", "shutil"},
    ),
    # The clock by which both ends measure.
    Layer("commands.monotonic", (), (), OUTSIDE_WORLD - {"time"}),
    # The composition root and its commands: app, cli, demo, solo, authoring.
    Layer("server", (*PACKAGES,), ANYTHING, never=GAMES),
    Layer("client", ("commands", "protocol"), ANYTHING, never=GAMES),
    Layer("client.games", ("client", "commands", "protocol"), ANYTHING),
)

PURE: Final = ("server.games", "server.rulekit", "server.kernel")
"""Packages in which the order of a set would become part of the game."""


@attrs.frozen
class Tree:
    """The source of the packages below one folder."""

    root: Path
    modules: dict[str, ast.Module] = attrs.field(repr=False)
    """Modules by dotted name; a package goes by the name of its folder."""
    packages: frozenset[str]
    """Names of the modules that are folders."""

    @classmethod
    def read(cls, root: Path) -> "Tree":
        """Parse every module of the packages that exist below `root`."""
        modules: dict[str, ast.Module] = {}
        packages: set[str] = set()
        # Trees hold no cycles; collections of garbage would walk them for longer than they take.
        gc.disable()
        for path in sorted(p for package in PACKAGES for p in (root / package).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            if parts[-1] == "__init__":
                parts = parts[:-1]
                packages.add(".".join(parts))
            modules[".".join(parts)] = ast.parse(path.read_text("utf-8"), str(path))
        gc.enable()
        return cls(root, modules, frozenset(packages))


@functools.cache
def is_within(name: str, layer: str) -> bool:
    """True if the module is at or below a dotted name, in which `*` matches any part."""
    names, wanted = name.split("."), layer.split(".")
    fits = (part in {"*", own} for part, own in zip(wanted, names, strict=False))
    return len(names) >= len(wanted) and all(fits)


@functools.cache
def layer_of(name: str) -> Layer:
    """Return the layer with the longest name that matches a module."""
    fitting = [layer for layer in LAYERS if is_within(name, layer.name)]
    return max(fitting, key=lambda layer: len(layer.name))


def game_of(name: str) -> str | None:
    """Return the game that a module belongs to, or None."""
    match name.split("."):
        case [_, "games", game, *_]:
            return game
    return None


def forbidden_imports(tree: Tree) -> list[str]:
    """List every import in a wrong direction, one line each."""
    return [
        f"{name}:{line}: {layer_of(name).name} may not import {target}"
        for name, module in tree.modules.items()
        for line, target in dict.fromkeys(imports(tree, name, module))
        if not may_import(name, target)
    ]


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the statements in a module or statement at any depth, with handlers and cases.

    Expressions, nine in ten of the nodes of `ast.walk`, are left out.
    """
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        for inner in getattr(node, name, ()):
            yield inner
            yield from statements(inner)


def imports(tree: Tree, name: str, module: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and full name of everything that a module imports, at any place in it."""
    for node in statements(module):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            source = source_of(tree, name, node)
            for alias in node.names:
                whole = f"{source}.{alias.name}"
                yield node.lineno, whole if whole in tree.modules else source


def source_of(tree: Tree, name: str, node: ast.ImportFrom) -> str:
    """Resolve the module name between `from` and `import`, with its dots."""
    if not node.level:
        return node.module or ""
    up = node.level - 1 if name in tree.packages else node.level
    base = name.split(".")[: len(name.split(".")) - up]
    return ".".join([*base, *([node.module] if node.module else [])])


def may_import(name: str, target: str) -> bool:
    """True if a module may import the thing with this full name."""
    layer = layer_of(name)
    top = target.split(".", maxsplit=1)[0]
    if top in PACKAGES:
        is_open = any(is_within(target, ours) for ours in (layer.name, *layer.ours))
        is_other_game = game_of(name) and game_of(target) not in {None, game_of(name)}
        is_shut = any(is_within(target, shut) for shut in layer.never)
        return is_open and not is_shut and not is_other_game
    if top in sys.stdlib_module_names:
        return top not in layer.banned
    return layer.theirs == ANYTHING or top in layer.theirs


# ---- the folders of the client


def folder_imports(tree: Tree, package: str) -> dict[str, set[str]]:
    """Return, for each folder below a package, the other folders there that its modules import."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for name, module in tree.modules.items():
        if is_within(name, package):
            targets = {folder_of(tree, target) for _, target in imports(tree, name, module)}
            here = folder_of(tree, name)
            found[here] |= {t for t in targets - {here} if is_within(t, package)}
    return dict(found)


def folder_of(tree: Tree, name: str) -> str:
    """Return the folder of a module; a package is in its own."""
    return name if name in tree.packages else name.rpartition(".")[0]


def file_imports(tree: Tree, package: str) -> dict[str, set[str]]:
    """Return, for each module below a package, the other modules there that it imports."""
    below = {name: module for name, module in tree.modules.items() if is_within(name, package)}
    return {
        name: {t for _, t in imports(tree, name, module) if t in below} - {name}
        for name, module in below.items()
    }


def two_way(drawn: dict[str, set[str]]) -> list[str]:
    """List the pairs of folders that import each other, except parent and child."""
    return [
        f"{one} and {other} import each other"
        for one in sorted(drawn)
        for other in sorted(drawn[one])
        if one < other and one in drawn.get(other, ()) and not other.startswith(f"{one}.")
    ]


def in_circles(drawn: dict[str, set[str]]) -> set[str]:
    """Return the folders or files that are in an import cycle, or whose imports lead to one."""
    left = {folder: set(targets) for folder, targets in drawn.items()}
    while settled := {folder for folder, targets in left.items() if not targets & left.keys()}:
        left = {folder: targets for folder, targets in left.items() if folder not in settled}
    return set(left)


def as_rooms(drawn: dict[str, set[str]]) -> dict[str, set[str]]:
    """Merge the folders of each game into one, and the folders of the kernel into one."""

    def room(folder: str) -> str:
        if folder.startswith("server.kernel."):
            return "server.kernel"
        return ".".join(folder.split(".")[: 3 if game_of(folder) else None])

    found: defaultdict[str, set[str]] = defaultdict(set)
    for folder, targets in drawn.items():
        found[room(folder)] |= {room(target) for target in targets} - {room(folder)}
    return dict(found)


# ---- catching everything


def catch_alls(tree: Tree) -> list[str]:
    """List every `except` that would also catch the end of an abandoned procedure."""
    return [
        f"{name}:{node.lineno}: catches everything, GeneratorExit included"
        for name, module in tree.modules.items()
        for node in statements(module)
        if isinstance(node, ast.ExceptHandler) and catches_all(node.type)
    ]


def catches_all(caught: ast.expr | None) -> bool:
    """True for a bare `except`, or one that names BaseException."""
    if isinstance(caught, ast.Tuple):
        return any(map(catches_all, caught.elts))
    return caught is None or (isinstance(caught, ast.Name) and caught.id == "BaseException")


# ---- the order of a set

SET_TYPES: Final = frozenset({"set", "frozenset", "Set", "AbstractSet", "MutableSet", "FrozenSet"})
SET_METHODS: Final = frozenset(
    {"union", "intersection", "difference", "symmetric_difference"},
)
ORDERED: Final = frozenset(
    {"list", "tuple", "iter", "enumerate", "zip", "map", "filter", "reversed", "dict", "join"}
)
"""Functions that pass on the order of their arguments."""
UNORDERED: Final = frozenset(
    {"sorted", "any", "all", "sum", "len", "set", "frozenset", "min", "max"},
)
"""Functions whose result is the same for every order, as long as no key makes ties."""


@attrs.frozen
class SetNames:
    """Names that are sets at all their declarations in the tree."""

    fields: frozenset[str]
    functions: frozenset[str]

    @classmethod
    def read(cls, tree: Tree) -> "SetNames":
        """Collect the fields and function results that the tree declares as sets."""
        fields: defaultdict[str, set[bool]] = defaultdict(set)
        functions: defaultdict[str, set[bool]] = defaultdict(set)
        for node in (node for module in tree.modules.values() for node in statements(module)):
            if isinstance(node, ast.ClassDef):
                for line in node.body:
                    if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
                        fields[line.target.id].add(is_set_type(line.annotation))
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                functions[node.name].add(is_set_type(node.returns))
        return cls(only_sets(fields), only_sets(functions))


def only_sets(declared: dict[str, set[bool]]) -> frozenset[str]:
    """Keep the names about which all declarations agree."""
    return frozenset(name for name, kinds in declared.items() if kinds == {True})


def is_set_type(annotation: ast.expr | None) -> bool:
    """True if an annotation names a set."""
    match annotation:
        case ast.Subscript(value=value):
            return is_set_type(value)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in SET_TYPES
        case ast.Constant(value=str(text)):
            return is_set_type(ast.parse(text, mode="eval").body)
    return False


def set_loops(tree: Tree) -> list[str]:
    """List the places in pure code that iterate over a set, as far as the source shows."""
    declared = SetNames.read(tree)
    found = (
        f"{name}:{line}: depends on the order of a set"
        for name, module in tree.modules.items()
        if any(is_within(name, pure) for pure in PURE)
        for line in sorted(lines_in_set_order(module, declared))
    )
    return list(found)


def lines_in_set_order(module: ast.Module, declared: SetNames) -> set[int]:
    """Return the lines of a module that depend on the order of a set."""
    lines: set[int] = set()
    for scope in [module, *filter(is_function, ast.walk(module))]:
        nodes = list(within(scope))
        names = local_sets(scope, nodes, declared)
        harmless = {id(argument) for node in nodes for argument in harmless_arguments(node)}
        lines.update(
            looped.lineno
            for node in nodes
            if id(node) not in harmless
            for looped in run_through(node)
            if is_set(looped, names, declared)
        )
    return lines


def is_function(node: ast.AST) -> bool:
    """True if the node opens a scope of its own."""
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))


def within(scope: ast.AST) -> Iterator[ast.AST]:
    """Walk a scope without the functions that are defined inside it."""
    for node in ast.iter_child_nodes(scope):
        if not is_function(node):
            yield node
            yield from within(node)


def run_through(node: ast.AST) -> list[ast.expr]:
    """Return the expressions that the node iterates over in their own order."""
    match node:
        case ast.For(iter=looped) | ast.Starred(value=looped) | ast.YieldFrom(value=looped):
            return [looped]
        case ast.ListComp() | ast.DictComp() | ast.GeneratorExp():
            return [generator.iter for generator in node.generators]
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in ORDERED:
            return node.args
        case ast.Call(func=ast.Name(id="min" | "max"), keywords=[_, *_]):
            return node.args
        case ast.Call(func=ast.Attribute(attr="pop", value=popped), args=[]):
            return [popped]
    return []


def harmless_arguments(node: ast.AST) -> list[ast.expr]:
    """Return the generators passed to functions that ignore their order."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in UNORDERED:
            return args
        case ast.Call(func=ast.Name(id="sorted"), args=args):
            return args
    return []


def local_sets(scope: ast.AST, nodes: list[ast.AST], declared: SetNames) -> frozenset[str]:
    """Return the names that are bound to sets and nothing else within a scope."""
    bound: defaultdict[str, set[bool]] = defaultdict(set)
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for argument in ast.walk(scope.args):
            if isinstance(argument, ast.arg):
                bound[argument.arg].add(is_set_type(argument.annotation))
    for node in nodes:
        match node:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                bound[name].add(is_set_type(annotation))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bound[name].add(is_set(value, frozenset(), declared))
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                bound[name].add(is_set(value, frozenset(), declared))
    return only_sets(bound)


def is_set(value: ast.expr, names: frozenset[str], declared: SetNames) -> bool:
    """True if an expression is a set, as far as its source shows."""
    match value:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Name(id=name):
            return name in names
        case ast.Attribute(attr=name):
            return name in declared.fields
        case ast.Call(func=ast.Name(id="set" | "frozenset")):
            return True
        case ast.Call(func=ast.Attribute(attr=name, value=left)) if name in SET_METHODS:
            return is_set(left, names, declared)
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in declared.functions
        case ast.BinOp(op=ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()):
            return any(is_set(side, names, declared) for side in (value.left, value.right))
    return False


# ---- the tests


class SE:
    """The packages of one game."""

    protocol: Final = "protocol.games.second_edition"
    content: Final = "content.games.second_edition"


@pytest.fixture(scope="module")
def ours() -> Tree:
    return Tree.read(ROOT)


def plant(root: Path, **files: str) -> Tree:
    """Write modules into an empty tree of packages; `__` in a name stands for a dot."""
    for folder in (
        *("protocol/common", "protocol/messages", "protocol/games/second_edition"),
        *("protocol/games/toy", "commands", "server/kernel", "server/net"),
        *("server/games/second_edition", "server/games/toy", "content/reading"),
        *("content/games/second_edition/schema", "client/screens", "client/commands"),
        "client/games/second_edition/panes",
    ):
        (root / folder).mkdir(parents=True)
    for package in (p for p in root.rglob("*") if p.is_dir()):
        (package / "__init__.py").touch()
    for name, text in files.items():
        (root / f"{name.replace('__', '/')}.py").write_text(text, "utf-8")
    return Tree.read(root)


def test_every_import_points_the_right_way(ours: Tree) -> None:
    assert forbidden_imports(ours) == []


FLOORED: Final = pytest.mark.parametrize("package", ["client", "server"])


@pytest.mark.issue(35)
@FLOORED
def test_no_two_folders_import_each_other(ours: Tree, package: str) -> None:
    assert two_way(folder_imports(ours, package)) == []


@pytest.mark.issue(35)
@FLOORED
def test_folders_stand_on_floors(ours: Tree, package: str) -> None:
    assert in_circles(as_rooms(folder_imports(ours, package))) == set()


@pytest.mark.issue(35)
@FLOORED
def test_files_stand_on_floors_too(ours: Tree, package: str) -> None:
    """Imports for types alone count, too. Chapters of a rulebook may name each other."""
    drawn = file_imports(ours, package)
    if package == "server":
        drawn = {name: targets for name, targets in drawn.items() if not game_of(name)}

    assert in_circles(drawn) == set()


def test_nothing_catches_everything(ours: Tree) -> None:
    """An abandoned procedure must end, so nothing may catch its end."""
    assert catch_alls(ours) == []


def test_pure_code_runs_through_no_set(ours: Tree) -> None:
    """The order of a set differs between processes, but a log must give one table."""
    assert set_loops(ours) == []


def test_our_packages_are_read(ours: Tree) -> None:
    """If our packages were not in the tree, the tests above would check nothing."""
    assert "commands.main" in ours.modules


@pytest.mark.parametrize(
    ("name", "text", "target"),
    [
        ("protocol__frames", "import socket", "socket"),
        ("protocol__frames", "from os import path", "os"),
        ("protocol__frames", "import twisted.internet.defer", "twisted.internet.defer"),
        ("protocol__frames", "from content import reading", "content.reading"),
        ("protocol__frames", "from protocol.games import toy", "protocol.games.toy"),
        ("protocol__frames", "from .games import second_edition", SE.protocol),
        ("protocol__common__maps", f"from {SE.protocol} import x", SE.protocol),
        ("protocol__games__toy__table", f"from {SE.protocol} import x", SE.protocol),
        ("commands__main", "from client import cli", "client"),
        ("commands__main", "import protocol.codec", "protocol.codec"),
        ("content__reading__typed", f"from {SE.protocol} import x", SE.protocol),
        ("content__reading__typed", f"import {SE.content}.schema", f"{SE.content}.schema"),
        ("content__games__second_edition__loader", "import server", "server"),
        ("content__games__second_edition__schema__tiles", "import pathlib", "pathlib"),
        ("server__games__second_edition__turn", "def f():\n    import random", "random"),
        ("server__games__second_edition__turn", "import datetime", "datetime"),
        (
            "server__games__second_edition__turn",
            "from server.kernel import room",
            "server.kernel",
        ),
        ("server__games__second_edition__turn", f"import {SE.content}.load", f"{SE.content}.load"),
        ("server__games__second_edition__turn", "from ...net import listener", "server.net"),
        ("server__kernel__room", "import secrets", "secrets"),
        ("server__kernel__room", "from server.games import toy", "server.games.toy"),
        ("server__kernel__room", f"import {SE.protocol}", SE.protocol),
        ("server__net__session", "from server import games", "server.games"),
        ("server__app", "import server.games.second_edition", "server.games.second_edition"),
        ("client__cli", "import server.process.app", "server.process.app"),
        ("client__cli", "if TYPE_CHECKING:\n    from content import reading", "content.reading"),
        ("client__cli", f"import {SE.protocol}", SE.protocol),
        ("client__screens__map", "import client.games", "client.games"),
    ],
)
def test_a_wrong_import_is_found(tmp_path: Path, name: str, text: str, target: str) -> None:
    tree = plant(tmp_path, **{name: text})

    found = forbidden_imports(tree)

    assert len(found) == 1
    assert found[0].endswith(f"may not import {target}")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("protocol__codec", "import hashlib\nimport msgpack\nfrom protocol import frames"),
        (
            "protocol__games__second_edition__table",
            "from protocol.common import asks\nfrom . import events",
        ),
        ("protocol__batches", "from protocol.messages import x"),
        (
            "content__games__second_edition__loader",
            f"import yaml\nfrom content import reading\nimport {SE.protocol}",
        ),
        (
            "server__games__second_edition__turn",
            f"from server.kernel.game import Game\nfrom {SE.content}.schema import x",
        ),
        ("server__kernel__room", "from protocol.common import asks\nimport logging"),
        ("server__net__session", "import twisted\nfrom server.kernel import room"),
        ("server__app", "import secrets\nimport server.kernel.room\nimport client.cli"),
        ("client__cli", "import twisted\nimport prompt_toolkit\nfrom protocol import frames"),
        ("client__games__second_edition__face", f"from {SE.protocol} import x\nimport client"),
    ],
)
def test_a_right_import_passes(tmp_path: Path, name: str, text: str) -> None:
    assert forbidden_imports(plant(tmp_path, **{name: text})) == []


TWO_WAY: Final = {
    "client__screens__room": "from client.games import face",
    "client__games__face": "import client.screens.room",
}
A_CIRCLE: Final = {
    "client__screens__room": "from client.games import face",
    "client__games__face": "from client.commands import play",
    "client__commands__play": "import client.screens.room",
}


def test_two_folders_that_import_each_other_are_found(tmp_path: Path) -> None:
    found = two_way(folder_imports(plant(tmp_path, **TWO_WAY), "client"))

    assert found == ["client.games and client.screens import each other"]


def test_a_folder_and_what_lies_in_it_may_import_each_other(tmp_path: Path) -> None:
    folder = "client.games.second_edition"
    tree = plant(
        tmp_path,
        client__games__second_edition__face=f"from {folder}.panes import map",
        client__games__second_edition__panes__map=f"import {folder}.face",
    )

    assert two_way(folder_imports(tree, "client")) == []


def test_a_circle_of_folders_is_found(tmp_path: Path) -> None:
    drawn = folder_imports(plant(tmp_path, **A_CIRCLE), "client")

    assert two_way(drawn) == []
    assert in_circles(as_rooms(drawn)) == {"client.screens", "client.games", "client.commands"}


def test_a_circle_of_files_is_found(tmp_path: Path) -> None:
    code = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from client.screens import ui"
    tree = plant(
        tmp_path, client__screens__ui="import client.screens.room", client__screens__room=code
    )

    assert in_circles(file_imports(tree, "client")) == {"client.screens.ui", "client.screens.room"}


@pytest.mark.parametrize(
    "caught", ["except:", "except BaseException:", "except (A, BaseException):"]
)
def test_catching_everything_is_found(tmp_path: Path, caught: str) -> None:
    tree = plant(tmp_path, client__cli=f"try:\n    pass\n{caught}\n    pass")

    assert len(catch_alls(tree)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "for x in {1, 2}: pass",
        "for x in set(y): pass",
        "y = [x for x in frozenset(z)]",
        "y = {x: 1 for x in a & {1}}",
        "y = list(set(z))",
        "y = next(iter(set(z)))",
        "y = min(set(z), key=len)",
        "y = ', '.join({str(x) for x in z})",
        "y = (*set(z),)",
        "def f():\n    seen = set()\n    seen.add(1)\n    return tuple(seen)",
        "def f(seen: frozenset[int]):\n    for x in seen: pass",
        "def f(seen: 'set[int]'):\n    return seen.pop()",
        "class A:\n    spaces: frozenset[int]\ndef f(a):\n    for x in a.spaces: pass",
        "def near() -> set[int]: ...\ndef f():\n    for x in near() - {1}: pass",
    ],
)
def test_running_through_a_set_is_found(tmp_path: Path, text: str) -> None:
    assert len(set_loops(plant(tmp_path, server__games__second_edition__turn=text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "for x in sorted({1, 2}): pass",
        "y = any(x > 1 for x in {1, 2})",
        "y = sorted((x for x in set(z)), key=len)",
        "y = max(set(z))",
        "y = {x + 1 for x in set(z)}",
        "y = 1 in {1, 2}",
        "y = [1].pop()",
        "def f():\n    seen = set()\n    seen = sorted(seen)\n    return tuple(seen)",
    ],
)
def test_order_that_does_not_matter_passes(tmp_path: Path, text: str) -> None:
    assert set_loops(plant(tmp_path, server__games__second_edition__turn=text)) == []
