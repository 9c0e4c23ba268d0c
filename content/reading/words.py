"""
The words of a pack: names and texts for players, by subject and language.

All languages must agree: the same subjects with the same fields, which take the same
parameters.
"""

import re
from collections.abc import Collection, Iterator, Mapping

import attrs

from content.reading.mistakes import ContentError, ContentErrors, Place, closest
from content.reading.names import PLAIN_ID, SUBJECT
from content.reading.sheet import Sheet
from content.reading.typed import text_fault
from content.reading.yaml_subset import Fields, Node, Scalar, read_yaml
from protocol.common.templates import placeholders
from protocol.common.text import Catalog

LANGUAGES = ("en", "fr")
"""Languages for which every pack needs words."""

LANGUAGE = "language"
"""The only subject without a slash: facts about the language itself."""

_BRACES = re.compile(r"\{\d+(?:\|[^{}|]*\|[^{}|]*)?\}")


@attrs.frozen
class Wording:
    """The words of one subject in one language, with their places."""

    place: Place
    fields: Mapping[str, str]
    places: Mapping[str, Place]
    """The place of each field."""


Wordings = dict[str, dict[str, Wording]]
"""The words by language, then by subject."""


def read_words(
    node: Node, sheet: Sheet, into: dict[str, Wording], with_name: Collection[str] = ()
) -> None:
    """
    Read one file of words.

    Args:
        node: the content of the file.
        sheet: collects mistakes.
        into: the words of the file's language, to which its words are added.
        with_name: first parts of the subjects that need a name, such as `item`.
    """
    if not isinstance(node, Fields):
        sheet.fault(node, "expected a mapping from subjects to words")
        return
    for subject, value in node.values.items():
        key = node.keys[subject]
        sheet.path.append(subject)
        place = sheet.place(key)
        if subject != LANGUAGE and not SUBJECT.fullmatch(subject):
            reason = "is no subject; write two words with a slash, such as item/lamp"
            sheet.fault(key, f"{subject[:80]!r} {reason}")
        elif subject in into:
            first = into[subject].place
            sheet.fault(key, f"a second time; the first stands in {first.file}:{first.line}")
        else:
            into[subject] = _wording(place, value, sheet)
            if subject.partition("/")[0] in with_name and "name" not in into[subject].places:
                sheet.fault(value, "add a name: write 'name: …' under the subject")
        sheet.path.pop()


def catalogs_of(files: Mapping[str, bytes]) -> Mapping[str, Catalog]:
    """
    Return the words in `words/LANGUAGE/NAME.yaml`, by language.

    Raises:
        ContentErrors: the words cannot be read, or the languages do not agree.
    """
    sheet = Sheet()
    wordings: Wordings = {language: {} for language in LANGUAGES}
    for name, data in sorted(files.items()):
        top, _, rest = name.partition("/")
        language = rest.partition("/")[0]
        if top != "words" or language not in wordings:
            continue
        node, errors = read_yaml(name, data)
        sheet.turn_to(name, "", str)
        sheet.errors.extend(errors)
        if node is not None:
            read_words(node, sheet, wordings[language])
    sheet.errors.extend(check_parity(wordings))
    if sheet.errors:
        raise ContentErrors(sheet.errors)
    return {
        language: {subject: wording.fields for subject, wording in subjects.items()}
        for language, subjects in wordings.items()
    }


def _wording(place: Place, value: Node, sheet: Sheet) -> Wording:
    if isinstance(value, Fields):
        entries: Mapping[str, Node] = value.values
    else:
        entries = {"text": value}
    fields, places = {}, {}
    for name, entry in entries.items():
        sheet.path.append(name)
        if not PLAIN_ID.fullmatch(name):
            # In braces, what stands after a comma is a key without a value.
            is_cut = isinstance(entry, Scalar) and not entry.text
            advice = "; put a text with a comma in quotes" if is_cut else ""
            reason = f"is no field; write one word such as name or text{advice}"
            sheet.fault(entry, f"{name[:80]!r} {reason}")
        elif (text := _template(entry, sheet)) is not None:
            fields[name] = text
        places[name] = sheet.place(entry)
        sheet.path.pop()
    return Wording(place, fields, places)


def _template(node: Node, sheet: Sheet) -> str | None:
    if not isinstance(node, Scalar):
        sheet.fault(node, "expected a text")
        return None
    reason = text_fault(node.text)
    if reason is None and re.search(r"[{}]", _BRACES.sub("", node.text)):
        reason = "a brace that belongs to no parameter; write {0} or {0|one|many}"
    if reason is not None:
        sheet.fault(node, reason)
        return None
    if node.is_cut:
        sheet.cut.append(sheet.place(node))
    return node.text.rstrip("\n")


def check_parity(wordings: Wordings) -> Iterator[ContentError]:
    """Yield a mistake for each difference of the languages in subjects, fields or parameters."""
    for language, subjects in wordings.items():
        if not subjects:
            reason = f"no words in {language!r}; a pack speaks {' and '.join(wordings)}"
            yield ContentError(f"words/{language}", 1, 1, "", reason)
    if not all(wordings.values()):
        return
    # Each other language is held against the first, both ways, so that nothing is told twice.
    first, *rest = sorted(wordings)
    pairs = [pair for other in rest for pair in ((first, other), (other, first))]
    for language, others in pairs:
        for subject, wording in wordings[language].items():
            if subject == LANGUAGE:
                # What a language is like is its own, and has usual words where a pack says nothing.
                continue
            other = wordings[others].get(subject)
            if other is None:
                yield ContentError.at(wording.place, f"missing in {others!r}; translate it")
                continue
            yield from _check_fields(wording, other, others, is_first=language < others)


def _check_fields(
    wording: Wording, other: Wording, language: str, *, is_first: bool
) -> Iterator[ContentError]:
    for name, place in wording.places.items():
        if name not in other.places:
            yield ContentError.at(place, f"the field {name!r} is missing in {language!r}; add it")
        # In one direction only, or each difference would be told twice.
        elif is_first and name in wording.fields and name in other.fields:
            ours, theirs = placeholders(wording.fields[name]), placeholders(other.fields[name])
            if ours != theirs:
                reason = f"takes {_slots(theirs)} where the other language takes {_slots(ours)}"
                yield ContentError.at(other.places[name], f"{reason}; use the same")


def _slots(numbers: tuple[str, ...]) -> str:
    return " ".join(f"{{{number}}}" for number in numbers) or "no parameters"


def check_named(
    field: str, subject: str, place: Place, wordings: Wordings
) -> Iterator[ContentError]:
    """Yield a mistake if no language has words for a subject, or none gives it this field."""
    known = [wordings[language][subject] for language in wordings if subject in wordings[language]]
    if not known:
        close = closest(subject, {subject for wording in wordings.values() for subject in wording})
        advice = "" if close is None else f"did you mean {close!r}? Else "
        yield ContentError.at(
            place, f"no words for {subject[:80]!r}; {advice}add it under words/ in each language"
        )
    elif not any(field in wording.places for wording in known):
        at = known[0].place
        reason = f"{subject!r} has no field {field!r}; add it in {at.file}:{at.line}"
        yield ContentError.at(place, reason)
