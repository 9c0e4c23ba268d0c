"""Nouns: from the filter of a card to a noun, with what must hold of the card around it."""

from collections.abc import Callable
from typing import Any, Final

import attrs

from content.games.cards.schema.kinds import CardType
from content.games.cards.schema.targets import Filter
from content.games.cards.wording.language import Language, Noun
from content.games.cards.wording.names import Names

_IN_NOUN: Final = frozenset(["this", "they", "other", "types", "traits", "class_", "id"])
"""Fields of a filter that are neither adjectives nor come after the noun."""


@attrs.frozen
class Value:
    """A value that stands alone in a template."""

    value: Any


@attrs.frozen
class Nouns:
    """Nouns for filters, in one language."""

    language: Language
    names: Names
    fill: Callable[[str, Value], str]
    """Fills a template that names one value."""

    def simple(self, of: Filter, default: str) -> Noun:
        """Return the noun of a filter alone: the name or the types of the card."""
        if of.id is not None:
            name = self.names.text(of.id)
            return Noun(name, name)
        names = [one.value for one in of.types] or ["weakness" if of.weakness else default]
        nouns = [self.language.noun(name) for name in names]
        if len(nouns) == 1:
            return nouns[0]
        one = self.language.joined([noun.one for noun in nouns], "or")
        many = self.language.joined([noun.many for noun in nouns], "or")
        return Noun(one, many, nouns[0].is_feminine)

    def of(self, of: Filter, default: str, adjective: str = "") -> Noun:
        """Return the noun of a filter, with all that must hold of it."""
        return self._described(of, self.simple(of, default), default, adjective)

    def bare(self, of: Filter, noun: Noun) -> str:
        """Return what must hold of a card of which the noun is said already."""
        blank = Noun("", "", noun.is_feminine)
        return self._described(of, blank, "", "").one

    def with_article(self, of: Filter, article: str, default: str, this: Noun, they: Noun) -> str:
        """
        Return the cards that fit a filter, with an article.

        Args:
            of: the filter.
            article: the article, or an adjective such as "nearest"; `noun` for none.
            default: the noun of a filter without types.
            this: the noun for the card that has the ability.
            they: the noun for the cards chosen or affected last.
        """
        if of.this:
            noun = self.simple(of, "") if of.types else this
            return self.language.with_article("this", noun)
        if of.they:
            return self.language.with_article("that", they)
        if of.id is not None and article != "no":
            return self.of(of, default).one
        if of.where is not None and of == Filter(types=(CardType.LOCATION,), where=of.where):
            names = [f"{article}.{of.where.value}", of.where.value]
            if name := next((n for n in names if self.language.has("place", n)), ""):
                return self.language["place", name]
        noun = self.of(of, default, article)
        if self.language.has("adjective", article):
            article = "the"
        if of.host:
            return self.language.with_article("the", noun)
        if of.other and article == "a":
            return self.language.with_article("other_a", noun)
        if of.other:
            other = self.language.agreed("det", "other", noun)
            return self.language.with_article(
                article, attrs.evolve(noun, one=f"{other} {noun.one}")
            )
        return self.language.with_article(article, noun)

    def _described(self, of: Filter, simple: Noun, default: str, adjective: str) -> Noun:
        """Return a noun with the adjectives before it, and the clauses after it, of a filter."""
        is_place = of.types == (CardType.LOCATION,) or (not of.types and default == "location")
        before: list[str] = []
        if self.language.has("adjective", adjective):
            before.append(self.language.agreed("adjective", adjective, simple))
        after: list[str] = []
        for field in attrs.fields(Filter):
            value = getattr(of, field.name)
            if field.name in _IN_NOUN or value == field.default:
                continue
            word = str(getattr(value, "value", value)).lower()
            keys = [f"{field.name}.{word}", field.name]
            if field.name == "where" and is_place:
                keys.insert(0, f"place.{word}")
            places = [("adjective", before), ("after", after)]
            if not simple.one:
                places.insert(0, ("being", after))
            found = [
                (section, into, key)
                for key in keys
                for section, into in places
                if self.language.has(section, key)
            ]
            section, into, key = (*found, ("after", after, field.name))[0]
            into.append(self.fill(self.language.agreed(section, key, simple), Value(value)))
        traits = [self.names.text(trait) for trait in of.traits]
        pieces = {
            "adjectives": " ".join(before),
            "class": self.language["cardclass", of.class_.value] if of.class_ else "",
            "traits": self.language.joined(traits, "or") if traits else "",
            "after": " ".join(after),
        }
        template = self.language["grammar", "noun"]
        one, many = (template.format(noun=word, **pieces) for word in (simple.one, simple.many))
        return Noun(self.language.tidy(one), self.language.tidy(many), simple.is_feminine)


def is_bare(of: Filter) -> bool:
    """Return whether a filter names no kind of card, only a state or a place."""
    return not (
        of.this or of.they or of.host or of.other or of.types or of.traits or of.class_
    ) and (of.id is None and of.weakness is None)
