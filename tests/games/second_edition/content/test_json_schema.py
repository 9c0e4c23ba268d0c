"""JSON Schemas for editors: they are current and agree with the loader."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from content.games.second_edition import json_schema
from content.games.second_edition.loader import LIST_FILES
from content.language.json_schema import SHARED
from content.reading.files import read_files
from tests.games.second_edition.content.packs import FILES, edited
from tests.kit import reading_yaml

CONTENT = Path(json_schema.__file__).parent
PACKS = CONTENT.parents[1] / "packs" / "second_edition"
SCHEMAS = {name: json.loads(text) for name, text in json_schema.files().items()}
KINDS = {"string": str, "boolean": bool, "array": list, "object": dict, "number": int | float}


class Editor(reading_yaml.SAFE):  # type: ignore[misc, valid-type]  # whichever is there
    """YAML 1.2 reader, as editors use: `on` and `no` are text."""


Editor.yaml_implicit_resolvers = {
    first: [(tag, rule) for tag, rule in rules if not tag.endswith(":bool") or first in "tf"]
    for first, rules in reading_yaml.SAFE.yaml_implicit_resolvers.items()
}


def fits(value: Any, schema: Any, file: str = SHARED) -> bool:
    """True if a value fits a schema. Only the keywords used by our schemas are supported."""
    if "$ref" in schema:
        name, _, way = schema["$ref"].partition("#/definitions/")
        return fits(value, SCHEMAS[name or file]["definitions"][way], SHARED)
    if "anyOf" in schema and not any(fits(value, each, file) for each in schema["anyOf"]):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    return _is_kind(value, schema.get("type", ())) and _within(value, schema, file)


def _is_kind(value: Any, kinds: Any) -> bool:
    named = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(value, int) and not isinstance(value, bool) and "integer" in named:
        return True
    is_bool = isinstance(value, bool)
    return not named or any(
        kind in KINDS and isinstance(value, KINDS[kind]) and (kind == "boolean" or not is_bool)
        for kind in named
    )


def _within(value: Any, schema: Any, file: str) -> bool:
    if isinstance(value, dict) and "type" in schema:
        known = schema.get("properties", {})
        others = schema.get("additionalProperties", True)
        return (
            all(key in value for key in schema.get("required", ()))
            and schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", 999)
            and all(
                fits(inner, known[key], file) if key in known else _other(inner, others, file)
                for key, inner in value.items()
            )
        )
    if isinstance(value, list):
        is_long_enough = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 9999)
        return is_long_enough and all(fits(inner, schema.get("items", {}), file) for inner in value)
    if isinstance(value, int) and not isinstance(value, bool):
        return bool(schema.get("minimum", value) <= value <= schema.get("maximum", value))
    return True


def _other(value: Any, others: Any, file: str) -> bool:
    return bool(others) and (others is True or fits(value, others, file))


def schema_of(name: str) -> dict[str, Any]:
    """Return the schema for a file of a pack."""
    first = name.partition("/")[0].removesuffix(".yaml")
    kind = {"scenarios": "scenario"}.get(first, first)
    found: dict[str, Any] = SCHEMAS[f"{kind}.schema.json"]
    return found


def is_good(name: str, data: bytes) -> bool:
    """True if an editor would find no error in a file."""
    return fits(yaml.load(data, Editor), schema_of(name), name)  # noqa: S506 (a safe one)


def test_the_files_are_current() -> None:
    """To update them, run `python -m content.language.json_schema`."""
    assert json_schema.main(["--check"]) == 0


def test_every_kind_of_file_has_a_schema() -> None:
    names = {name.replace(".yaml", ".schema.json") for name in LIST_FILES}

    assert set(SCHEMAS) == names | {
        *("pack.schema.json", "box.schema.json", "scenario.schema.json"),
        *("words.schema.json", SHARED),
    }


@pytest.mark.parametrize("folder", [PACKS / "core", CONTENT / "starter"], ids=["core", "starter"])
def test_what_comes_along_is_good(folder: Path) -> None:
    bad = [name for name, data in read_files(folder).items() if not is_good(name, data)]

    assert bad == []


@pytest.mark.parametrize("name", sorted(FILES))
def test_the_tiny_pack_is_good(name: str) -> None:
    assert is_good(name, FILES[name])


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("investigators.yaml", "health: 7", "helth: 7"),
        ("investigators.yaml", "health: 7", "health: seven"),
        ("investigators.yaml", "health: 7", "health: 70"),
        ("investigators.yaml", "  health: 7\n", ""),
        ("items.yaml", "kind: heavy", "kind: hevy"),
        ("damage.yaml", "copies: 3", "copies: 3\n  harm: damage"),
        ("scenarios/cellar.yaml", "say: cellar/opened", "sey: cellar/opened"),
        ("scenarios/cellar.yaml", "say: cellar/opened", "say: cellar/opened\n            end: {}"),
        ("scenarios/cellar.yaml", "on: round_ended", "on: round_end"),
        ("scenarios/cellar.yaml", "kind: search", "kind: [search]"),
        ("scenarios/cellar.yaml", "won: false", "won: maybe"),
    ],
)
def test_an_editor_sees_what_is_wrong(file: str, old: str, new: str) -> None:
    assert not is_good(file, edited(file, old, new)[file])


def test_keys_say_what_they_mean() -> None:
    token = SCHEMAS[SHARED]["definitions"]["TokenOption"]["properties"]

    assert (
        token["when"]["description"]
        == "A requirement. The option is shown only while the requirement holds."
    )
