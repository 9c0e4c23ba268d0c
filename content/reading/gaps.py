"""
Gaps: words that a pack names and lacks, and the stubs that stand for them until they are written.

A stub is the subject in angle brackets, as players would see it, and takes the parameters that
the other languages take.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

import attrs

from content.reading.words import LANGUAGE, Wordings
from content.reading.yaml_subset import Fields, Node, read_yaml
from protocol.common.templates import placeholders


@attrs.frozen(order=True)
class Gap:
    """The words that one subject lacks in one language."""

    language: str
    subject: str
    fields: tuple[str, ...]
    """Names of the missing fields, such as `name` and `text`."""
    slots: tuple[str, ...] = ()
    """The parameters of the text, by their numbers."""
    place: str = ""
    """File and line of the subject's existing words; empty if it has none."""
    file: str = ""
    """The file with the subject's words in another language, by its name in that language's
    folder."""
    named_in: str = ""
    """The first file of the pack that names the subject."""


def gaps_in(named: Iterable[tuple[str, str, str]], wordings: Wordings) -> Iterator[Gap]:
    """
    Yield the gaps of each language: the missing names and texts.

    A name or text is missing if the pack needs it, or if another language has it.

    Args:
        named: subjects, each with its needed field, `name` or `text`, and the file that names it.
        wordings: the existing words.
    """
    wanted: dict[str, dict[str, None]] = {}
    files: dict[str, str] = {}
    for subject, field, named_in in named:
        wanted.setdefault(subject, {})[field] = None
        files.setdefault(subject, named_in)
    for subjects in wordings.values():
        for subject, wording in subjects.items():
            wanted.setdefault(subject, {}).update(dict.fromkeys(wording.places))
    # What a language is like, such as its plurals, has defaults and needs no words.
    wanted.pop(LANGUAGE, None)
    for language, subjects in wordings.items():
        for subject, fields in wanted.items():
            known = subjects.get(subject)
            lacking = tuple(f for f in fields if known is None or f not in known.places)
            if lacking:
                place = "" if known is None else f"{known.place.file}:{known.place.line}"
                others = [of[subject] for of in wordings.values() if subject in of]
                texts = [other.fields["text"] for other in others if "text" in other.fields]
                slots = placeholders(texts[0]) if texts else ()
                file = others[0].place.file.rpartition("/")[2] if others else ""
                named_in = files.get(subject, "")
                yield Gap(language, subject, lacking, slots, place, file, named_in)


def stub(subject: str, slots: Iterable[str] = ()) -> str:
    """Return the placeholder for words that are not written yet."""
    return " ".join([f"<{subject}>", *(f"{{{slot}}}" for slot in slots)])


def is_stub(subject: str, text: str) -> bool:
    """Return whether a text is still the placeholder that `stub` made."""
    return text.startswith(stub(subject))


def with_stubs(files: Mapping[str, bytes], gaps: Iterable[Gap]) -> Mapping[str, bytes]:
    """
    Return the changed files, with stubs appended; existing content stays equal to the byte.

    A subject that has some of its words already is left out: its author has begun it.

    Args:
        files: the files of the pack, by name.
        gaps: the gaps of the pack.
    """
    lines: dict[str, list[str]] = {}
    homes = _homes(files)
    for gap in gaps:
        if not gap.place:
            folder = f"words/{gap.language}/"
            name = gap.file or _home(gap, files, homes)
            said = {f: stub(gap.subject, gap.slots if f == "text" else ()) for f in gap.fields}
            line = f'{gap.subject}: "{said.get("text")}"'
            if tuple(said) != ("text",):
                inner = ", ".join(f'{field}: "{text}"' for field, text in said.items())
                line = f"{gap.subject}: {{{inner}}}"
            lines.setdefault(folder + name, []).append(line)
    changed: dict[str, bytes] = {}
    for name, added in lines.items():
        whole = _appended(files.get(name, b""), added)
        if whole is not None:
            changed[name] = whole
            continue
        # Nothing can stand below a mapping in braces.
        spare = f"{name.rpartition('/')[0]}/stubs.yaml"
        changed[spare] = _appended(changed.get(spare, files.get(spare, b"")), added) or b""
    return changed


def _home(gap: Gap, files: Mapping[str, bytes], homes: Mapping[tuple[str, str], str]) -> str:
    """
    Return the name of the words file for a new subject.

    It is the name of the file that names the subject, if that is a scenario or if a words file has
    this name; else it is the words file that has most subjects with the same prefix.
    """
    prefix = gap.subject.partition("/")[0]
    folder, _, last = gap.named_in.rpartition("/")
    if folder == "scenarios" or f"words/{gap.language}/{last}" in files:
        return last
    return homes.get((gap.language, prefix)) or last or f"{prefix}.yaml"


def _homes(files: Mapping[str, bytes]) -> Mapping[tuple[str, str], str]:
    """Return the words file with most subjects, by language and first part of the subjects."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for name, data in sorted(files.items()):
        top, _, rest = name.partition("/")
        language, _, file = rest.partition("/")
        if top == "words" and file:
            for subject in _keys(read_yaml(name, data)[0]):
                key = (language, subject.partition("/")[0])
                counts.setdefault(key, Counter())[file] += 1
    return {key: count.most_common(1)[0][0] for key, count in counts.items()}


def _appended(data: bytes, lines: list[str]) -> bytes | None:
    """Return a file with lines appended; None if the result would be parsed differently."""
    end = b"" if not data or data.endswith(b"\n") else b"\n"
    # Bytes are appended, so that comments and layout of the author stay.
    whole = data + end + "".join(f"{line}\n" for line in lines).encode()
    before = _keys(read_yaml("", data)[0]) if data else ()
    node, errors = read_yaml("", whole)
    return None if errors or len(_keys(node)) != len(before) + len(lines) else whole


def _keys(node: Node | None) -> tuple[str, ...]:
    return tuple(node.values) if isinstance(node, Fields) else ()
