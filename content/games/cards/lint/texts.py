"""Findings on texts that authors write by hand: what they say is what the cards do. C-DECIDE-65."""

import re
from collections import Counter
from collections.abc import Iterator

from content.games.cards.lint.registry import finds
from content.games.cards.schema.cards import AnyCard
from content.games.cards.schema.pack import AnyFace, Pack
from content.games.cards.wording.cards import fields_of
from content.games.cards.wording.language import language
from content.games.cards.wording.names import NameOf
from content.language.findings import Finding
from protocol.common.text import Catalog

_NUMBER = re.compile(r"\d+")


@finds
def _by_hand(pack: Pack) -> Iterator[Finding]:
    """Numbers and keywords of a text by hand are those of the data."""
    for name, catalog in pack.catalogs.items():
        for face in pack.all_faces():
            written = catalog.get(face.id, {}).get("text", "")
            made = fields_of(face, name, _names(catalog)).get("text", "")
            if not written or written == made:
                continue
            ours, theirs = (Counter(_NUMBER.findall(text)) for text in (made, written))
            if set(ours) != set(theirs):
                reason = f"its text in {name!r} says the numbers {_said(theirs)}"
                advice = f"the data {_said(ours)}; change one, or leave the text out"
                yield Finding(pack.id, face.id, f"{reason}, {advice}")
            yield from _keywords(pack, face, name, written)


def _keywords(pack: Pack, face: AnyFace, name: str, written: str) -> Iterator[Finding]:
    words = language(name)
    if isinstance(face, AnyCard):
        for keyword in face.keywords:
            if words["keyword", keyword.value].casefold() not in written.casefold():
                reason = f"its text in {name!r} does not name the keyword {keyword.value!r}"
                yield Finding(pack.id, face.id, f"{reason}; name it, or leave the text out")


def _names(catalog: Catalog) -> NameOf:
    return lambda subject, field: catalog.get(subject, {}).get(field, "")


def _said(numbers: Counter[str]) -> str:
    return ", ".join(sorted(numbers, key=int)) or "none"
