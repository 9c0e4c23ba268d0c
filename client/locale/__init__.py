"""
The client's own words: labels, hints, help, and what error codes mean.

Each language is one JSON file beside this one, key to template; all have the same keys. What
belongs to a game comes from the server and is not here.
"""

import functools
import json
import re
from collections.abc import Mapping
from importlib import resources

import attrs

LANGUAGES = ("en", "fr")
"""Every language that the client speaks; the first is spoken where none of them is wanted."""

_SLOT = re.compile(r"\{(\d+)(?:\|([^{}|]*)\|([^{}|]*))?\}")


@attrs.frozen
class Locale:
    """One language."""

    language: str
    templates: Mapping[str, str] = attrs.field(repr=False)

    def say(self, key: str, *params: str | int) -> str:
        """
        Return the words of a key with its parameters filled in.

        `{0}` is the parameter, `{0|one|many}` the form that its number takes. A key without
        words is shown in angle brackets, so that it is seen and harms nothing.
        """
        template = self.templates.get(key)
        if template is None:
            return f"<{key}>"

        def fill(match: re.Match[str]) -> str:
            param = params[int(match[1])]
            if match[2] is None:
                return str(param)
            return match[2] if self._is_one(param) else match[3]

        return _SLOT.sub(fill, template)

    def has(self, key: str) -> bool:
        """Return whether a key has words."""
        return key in self.templates

    def _is_one(self, number: str | int) -> bool:
        return number == 1 or (number == 0 and self.language == "fr")


@functools.cache
def load(language: str) -> Locale:
    """Return one of LANGUAGES; the first of them for any other."""
    known = language if language in LANGUAGES else LANGUAGES[0]
    text = resources.files(__package__).joinpath(f"{known}.json").read_text(encoding="utf-8")
    return Locale(known, json.loads(text))


def language_of(environment: Mapping[str, str]) -> str:
    """Return the language that an environment asks for, among LANGUAGES."""
    for name in ("MANSE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        wanted = environment.get(name, "").lower()
        if wanted:
            # The first that is set decides, as everywhere on this system: `C` means English.
            return wanted[:2] if wanted[:2] in LANGUAGES else LANGUAGES[0]
    return LANGUAGES[0]
