"""
The words of one language and its grammar: nouns, articles, elision, lists.

The words are in `en.yaml` and `fr.yaml`: a section for each family, and in it a template for each
word or part of the vocabulary. A new part of the vocabulary needs one entry in each file.
"""

import functools
import re
from collections.abc import Mapping, Sequence
from importlib import resources

import attrs

from content.reading.yaml_subset import Fields, Scalar, read_yaml


@attrs.frozen
class Noun:
    """The noun for a card or token, with the words before and after it."""

    one: str
    many: str
    is_feminine: bool = False


@attrs.frozen(eq=False, slots=False)
class Language:
    """The templates of one language, by section and name."""

    templates: Mapping[str, Mapping[str, str]]

    def has(self, section: str, name: str) -> bool:
        """Return whether there is such a template."""
        return name in self.templates.get(section, ())

    def __getitem__(self, key: tuple[str, str]) -> str:
        section, name = key
        # A part that is new in the vocabulary is said by its own word, until it has a template.
        return self.templates[section].get(name, name.replace("_", " "))

    def noun(self, name: str) -> Noun:
        """Return a noun; a word that is none stands for itself in the plural, too."""
        one, *more = self["noun", name].split("|")
        return Noun(one, more[0] if more else one, is_feminine=more[1:] == ["f"])

    def with_article(self, article: str, noun: Noun) -> str:
        """Return a noun with an article or a word that stands for one."""
        return f"{self._agreed(self['det', article], noun)} {noun.one}"

    def agreed(self, section: str, name: str, noun: Noun) -> str:
        """Return an adjective in the form for a noun."""
        return self._agreed(self[section, name], noun)

    def _agreed(self, forms: str, noun: Noun) -> str:
        masculine, *feminine = forms.split("|")
        return feminine[0] if feminine and noun.is_feminine else masculine

    def joined(self, parts: Sequence[str], word: str) -> str:
        """Return parts as a list whose last member follows `and` or `or`."""
        *rest, last = parts
        return f"{', '.join(rest)} {self['grammar', word]} {last}" if rest else last

    def tidy(self, text: str) -> str:
        """Return a text with its spaces, elisions and contractions as they should be."""
        text = (
            re.sub(r" +", " ", text)
            .replace(" ,", ",")
            .replace(" .", ".")
            .replace(".. ", ". ")
            .strip()
        )
        text = self._elision.sub(lambda found: f"{found[1][:-1]}’", text)
        text = self._contraction.sub(
            lambda found: _like(found[0], self._contractions[found[0].lower()]), text
        )
        return self._before_vowel.sub(
            lambda found: _like(found[1], self._vowel_forms[found[1].lower()]) + " ", text
        )

    def printed(self, text: str) -> str:
        """Return a whole text, with spaces that keep French punctuation on its line."""
        return re.sub(r" (?=[:;!?»])|(?<=«) ", "\N{NO-BREAK SPACE}", text)

    @functools.cached_property
    def _elision(self) -> re.Pattern[str]:
        words = self.templates["grammar"].get("elided", "").split()
        return re.compile(rf"(?i)\b({'|'.join(words) or '(?!)'}) (?={self._vowel})")

    @functools.cached_property
    def _contractions(self) -> Mapping[str, str]:
        pairs = re.findall(r"(\S+ \S+?)=(\S+)", self.templates["grammar"].get("contracted", ""))
        return dict(pairs)

    @functools.cached_property
    def _contraction(self) -> re.Pattern[str]:
        return re.compile(rf"(?i)\b({'|'.join(self._contractions) or '(?!)'})\b")

    @functools.cached_property
    def _vowel_forms(self) -> Mapping[str, str]:
        pairs = self.templates["grammar"]["before_vowel"].split()
        return dict(pair.split("=") for pair in pairs)

    @functools.cached_property
    def _before_vowel(self) -> re.Pattern[str]:
        return re.compile(rf"(?i)\b({'|'.join(self._vowel_forms)}) (?={self._vowel})")

    @property
    def _vowel(self) -> str:
        grammar = self.templates["grammar"]
        not_ = "|".join(grammar["consonants"].split())
        return rf"(?!{not_})[{grammar['vowels']}àâéèêîôû]"


def _like(before: str, after: str) -> str:
    """Return a word with a capital, if that which it replaces has one."""
    return capital(after) if before[:1].isupper() else after


def capital(text: str) -> str:
    """Return a text whose first letter is a capital."""
    return text[:1].upper() + text[1:]


def sentences(text: str) -> str:
    """Return a text as whole sentences: with capitals, and a full stop at the end."""
    text = capital(text.strip())
    return text if not text or text[-1] in ".)" else f"{text}."


@functools.cache
def language(name: str) -> Language:
    """Return a language by its short name, such as `en`."""
    file = f"{name}.yaml"
    node, errors = read_yaml(file, (resources.files(__package__) / file).read_bytes())
    assert isinstance(node, Fields), errors
    assert not errors, errors
    found: dict[str, dict[str, str]] = {}
    for section, inside in node.values.items():
        assert isinstance(inside, Fields), section
        found[section] = {
            key: one.text for key, one in inside.values.items() if isinstance(one, Scalar)
        }
    return Language(found)
