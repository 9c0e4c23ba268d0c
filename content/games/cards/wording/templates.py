"""
Templates: texts with marks, which are filled from the fields of a part of the vocabulary.

The marks, which are worked on in this order:

- `<field|text>`: the text, if the field is given; `!field`: if it is not, `field=value`: if it is
  this, `a&b`: if both hold;
- `(your|their)`: the first if the clause is about "you", else the second;
- `[draw|draws|draw]`: a verb for "you", for others, and the infinitive; a French one may add its
  past tense for "you" and for others;
- `{field}` or `{field:how}`: a value, in words.
"""

import enum
import re
from collections.abc import Callable, Sequence
from typing import Any, Final

import attrs

from content.games.cards.schema.kinds import Amount
from content.games.cards.schema.occurrences import Person
from content.games.cards.schema.targets import Who, Whom
from content.games.cards.wording.language import Language
from content.reading.parts import kinds_of

PEOPLE: Final = (*kinds_of(Whom), Who, Person)
"""Types of the values that name investigators."""
_IF: Final = re.compile(r"<([\w!&=-]+)\|([^<>]*)>")
_PERSON: Final = re.compile(r"\(([^()|]*)\|([^()|]*)\)")
_VERB: Final = re.compile(r"\[([^\[\]|]*)\|([^\[\]]*)\]")
_SLOT: Final = re.compile(r"\{(\w+)(?::([^{}]*))?\}")


class Form(enum.Enum):
    """The form of the verbs of a clause."""

    PRESENT = "present"
    INFINITIVE = "infinitive"
    PAST = "past"
    WOULD = "would"


@attrs.frozen
class Voice:
    """The person that a clause is about, and the form of its verbs."""

    is_you: bool = True
    form: Form = Form.PRESENT


YOU: Final = Voice()


def filled(
    language: Language,
    template: str,
    part: Any,
    voice: Voice,
    slot: Callable[[str, str, Voice], str],
) -> str:
    """
    Return a template filled from the fields of a part.

    Args:
        language: the language of the template.
        template: the text with its marks.
        part: the part of the vocabulary.
        voice: whom the clause is about; a field that names investigators goes before it.
        slot: returns a value in words, by its field, how it is said, and the voice.
    """
    while (found := _IF.search(template)) is not None:
        text = found[2] if _holds(found[1], part) else ""
        template = f"{template[: found.start()]}{text}{template[found.end() :]}"
    voice = _voice_of(template, part, voice)
    template = for_person(template, voice)
    template = _VERB.sub(lambda one: _verb(language, [one[1], *one[2].split("|")], voice), template)
    return language.tidy(_SLOT.sub(lambda one: slot(one[1], one[2] or "", voice), template))


def for_person(template: str, voice: Voice) -> str:
    """Return a template with the words for the person that a clause is about."""
    return _PERSON.sub(lambda one: one[1] if voice.is_you else one[2], template)


def _holds(asked: str, part: Any) -> bool:
    """Return whether fields of a part are as the condition of a mark says."""
    for one in asked.split("&"):
        name, is_equal, wanted = one.lstrip("!").partition("=")
        name = name if hasattr(part, name) else f"{name}_"
        value = getattr(part, name)
        if is_equal:
            given = str(value.n if isinstance(value, Amount) else value) == wanted
        else:
            default = getattr(attrs.fields_dict(type(part))[name], "default", attrs.NOTHING)
            is_plain = isinstance(value, bool) or default is attrs.NOTHING
            given = bool(value) if is_plain else value != default
        if given is one.startswith("!"):
            return False
    return True


def _voice_of(template: str, part: Any, voice: Voice) -> Voice:
    """Return the voice of a clause, about the investigators that its template names first."""
    for role in ("who", "by", "of"):
        if f"{{{role}}}" in template or f"the turn of {{{role}}}" in template:
            given = getattr(part, role, None)
            if isinstance(given, PEOPLE) or given is None:
                return attrs.evolve(voice, is_you=given in (Who.YOU, Person.YOU))
    return voice


def _verb(language: Language, forms: Sequence[str], voice: Voice) -> str:
    """Return a verb in the form for a voice."""
    at = 0 if voice.is_you else 1
    if voice.form is Form.PAST and len(forms) > 3:
        return forms[3 + at]
    if voice.form is Form.INFINITIVE:
        return forms[2]
    if voice.form is Form.WOULD:
        return language["grammar", "would"].split("|")[at].format(forms[2])
    return forms[at]
