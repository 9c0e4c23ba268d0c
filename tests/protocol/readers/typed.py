"""A reader of types.json that checks values, as one would write it in another language.

It imports nothing of ours but the outsider, which knows the encoding. Every `Wrong` says what is
wrong and where.
"""

import itertools
import re
import unicodedata
from typing import Any

import attrs

from tests.protocol.readers.outsider import Plain, Wrong, decode, encode, need

KINDS = {"integer": int, "text": str, "bytes": bytes, "boolean": bool, "nil": type(None)}


@attrs.frozen
class Types:
    """The types of the file, with methods that check values."""

    file: dict[str, Any]

    def message(self, payload: bytes, by: str, *, part: str = "messages") -> None:
        """Check the payload of a frame; `part` is `login` for a message of the login."""
        plain = decode(payload)
        need(type(plain) is tuple and plain, "no message")
        kinds = [k for k in self.file[part] if k["tag"] == plain[0]]
        need([k["by"] for k in kinds] == [by], "not theirs to say")
        self._fields(kinds[0]["fields"], plain[1:])

    def record(self, public: bytes, openings: dict[int, bytes]) -> None:
        """Check the public bytes of a record, and the values of its open secrets, by slot.

        It does not check their commitments.
        """
        plain = decode(public)
        need(type(plain) is tuple and len(plain) == 6, "a record has six parts")
        sequence, time, origin, tag, fields, secrets = plain
        public_parts = self.file["classes"]["Public"]["fields"][:3]
        for part, number in zip(public_parts, (sequence, time, origin), strict=True):
            self.check(part["type"], number)
        need(type(tag) is str and type(fields) is tuple and type(secrets) is tuple, "no record")
        self._check_entries(secrets)
        hidden = self._public(self._kind(tag), list(fields))
        need(len(hidden) == len(secrets), "more or fewer secrets than the kind has")
        need(set(openings) <= set(range(len(hidden))), "an opening without a secret")
        for slot, value in openings.items():
            self.check(hidden[slot], decode(value))

    def _check_entries(self, secrets: Plain) -> None:
        fields = {
            field["name"]: field["type"] for field in self.file["classes"]["Public"]["fields"]
        }
        self.check(fields["secrets"], secrets)

    def newest(self, tag: str, fields: Plain) -> tuple[str, dict[str, Plain]]:
        """Return the newest tag of a record, and its public fields by their newest names."""
        kind = self._kind(tag)
        public = [field for field in kind["fields"] if field.get("secret_to") in (None, "each")]
        values = {name: _tuples(value) for name, value in kind.get("sets", {}).items()}
        for field, value in zip(public, fields, strict=True):
            if "secret_to" not in field:
                values[field["name"]] = _became(field, value)
        return kind.get("read_as", tag), values

    def reshaped(self, name: str, value: Plain) -> Plain:
        """Return a value in the newest form of its class."""
        of = self.file["classes"][name]
        values = {field: _tuples(held) for field, held in of.get("sets", {}).items()}
        was = {
            field["name"]: self._reshaped(field["type"], each)
            for field, each in zip(of["fields"], value, strict=True)
        }
        for field, (other, held) in of.get("compares", {}).items():
            values[field] = encode(was[other]) == encode(_tuples(held))
        newest = self.file["classes"][of.get("read_as", name)]["fields"]
        return tuple([{**was, **values}[field["name"]] for field in newest])

    def _reshaped(self, of: Any, value: Plain) -> Plain:
        if of["is"] == "class":
            return self.reshaped(of["name"], value)
        return tuple(self._reshaped(of["of"], v) for v in value) if of["is"] == "array" else value

    def _kind(self, tag: str) -> dict[str, Any]:
        kinds = [k for part in ("events", "earlier") for k in self.file[part] if k["tag"] == tag]
        need(kinds, "an unknown kind")
        kind: dict[str, Any] = kinds[0]
        return kind

    def _public(self, kind: dict[str, Any], parts: list[Plain]) -> list[Any]:
        """Check the public fields; return the types of the secrets, by slot."""
        hidden: list[Any] = []
        for field in kind["fields"]:
            to, of = field.get("secret_to"), field["type"]
            if to is not None and to != "each":
                hidden.append(of)
                continue
            need(parts, "too few fields")
            part = parts.pop(0)
            if to is None:
                self.check(of, part)
                _became(field, part)
            else:
                self.check({"is": "array", "of": of["from"]}, part)
                need(list(part) == sorted({*part}), "seats must ascend")
                hidden += [of["to"]] * len(part)
        need(not parts, "too many fields")
        return hidden

    def _fields(self, fields: Any, values: Plain) -> None:
        need(type(values) is tuple and len(values) == len(fields), "another number of fields")
        for field, value in zip(fields, values, strict=True):
            self.check(field["type"], value)

    def check(self, of: Any, value: Plain) -> None:
        """Check a value against a type."""
        kind = of["is"]
        if kind in KINDS:
            self._check_scalar(of, value)
        elif kind == "enumeration":
            need(type(value) is str and value in self.file["enumerations"][of["name"]], "no member")
        elif kind == "union":
            self._check_union(of, value)
        else:
            need(type(value) is tuple, "no array")
            self._check_array(of, value)

    def _check_scalar(self, of: Any, value: Plain) -> None:
        need(type(value) is KINDS[of["is"]], f"no {of['is']}")
        if of["is"] == "integer":
            _check_size({**self.file["integers"], **of}, value)
        elif of["is"] in {"text", "bytes"}:
            _check_size(of, len(value))
        if "pattern" in of:
            need(re.fullmatch(of["pattern"], value), "another pattern")
        if of.get("is_printable"):
            need(_is_printable(value), "not printable")

    def _check_union(self, of: Any, value: Plain) -> None:
        """Check a value against a union: try its members, of which only one can fit."""
        for member in of["of"]:
            try:
                return self.check(member, value)
            except Wrong:
                continue
        raise Wrong("no member of the union")

    def _check_array(self, of: Any, value: Plain) -> None:
        match of["is"]:
            case "class":
                self._fields(self.file["classes"][of["name"]]["fields"], value)
            case "tuple":
                need(len(value) == len(of["of"]), "another number of items")
                for each, item in zip(of["of"], value, strict=True):
                    self.check(each, item)
            case "array":
                _check_size(of, len(value))
                for item in value:
                    self.check(of["of"], item)
            case "mapping":
                pair = {"is": "tuple", "of": [of["from"], of["to"]]}
                self.check({"is": "array", "of": pair}, value)
                keys = [encode(key) for key, _ in value]
                need(all(a < b for a, b in itertools.pairwise(keys)), "keys must ascend")
            case other:
                raise Wrong(f"the file has a type {other!r}")


def _became(field: Any, value: Plain) -> Plain:
    """Return the value of a field in the newest form, given its value in an earlier one."""
    if "more" in field:
        need(type(value) is tuple, "no array")
        return (*value, *_tuples(field["more"]))
    if "alone" in field:
        return (value,)
    if "packs" in field:
        at = field["packs"]
        need(type(value) is tuple and len(value) > at, "no array")
        return (*value[:at], encode(value[at]), *value[at + 1 :])
    if "each" in field:
        at, part = field["each"]
        need(type(value) is tuple, "no array")
        return tuple((*item[:at], _tuples(part), *item[at:]) for item in value)
    if "values" in field:
        found = [new for old, new in field["values"] if old == value]
        need(found, "a value that is not listed")
        return _tuples(found[0])
    return value


def _tuples(value: Any) -> Plain:
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"])
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _check_size(of: Any, size: int) -> None:
    need(of.get("at_least", size) <= size <= of.get("at_most", size), "too small or too large")


def _is_printable(text: str) -> bool:
    categories = "".join(unicodedata.category(char)[0] for char in text)
    return (
        unicodedata.is_normalized("NFC", text)
        and "MMMMM" not in categories
        and all(
            char in " \u200c\u200d" or unicodedata.category(char)[0] not in "CZ" for char in text
        )
    )
