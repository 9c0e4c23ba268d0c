"""
The writer: from parts of a card's data to clauses and sentences. C-DECIDE-65.

It knows what "it", "that enemy" or "you" mean in the sentence that it is writing. `templates`
fills the words of a language, `nouns` says which cards are meant, `names` what things are called.
"""

import copy
import enum
import itertools
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import attrs

from content.games.cards.schema.conditions import Condition, Is, Not
from content.games.cards.schema.costs import Cost
from content.games.cards.schema.kinds import NONE, Amount, CardType, Factor, Slot, Spot, Stat
from content.games.cards.schema.modifiers import How, Modifier, SkillModifier, StatModifier
from content.games.cards.schema.occurrences import Happening, Moment, On, Person
from content.games.cards.schema.steps import (
    Effect,
    Either,
    Evade,
    Fight,
    ForEach,
    If,
    Investigate,
    LastingStep,
    May,
    Step,
    Test,
)
from content.games.cards.schema.targets import (
    Choose,
    Each,
    Filter,
    Most,
    Nearest,
    TheCard,
    Which,
    Who,
    Whom,
)
from content.games.cards.wording.language import Language, Noun, sentences
from content.games.cards.wording.names import MINUS, Names
from content.games.cards.wording.nouns import Nouns, is_bare
from content.games.cards.wording.templates import PEOPLE, YOU, Form, Voice, filled, for_person
from content.reading.parts import parts_of

FAMILIES: Final[Mapping[str, type]] = {
    "step": Step,
    "cost": Cost,
    "condition": Condition,
    "modifier": Modifier,
    "which": Which,
    "whom": Whom,
}
"""The section of templates of each family of parts."""
_KEYS: Final[Mapping[type, tuple[str, str]]] = {
    part.made: (section, key)
    for section, family in FAMILIES.items()
    for key, part in parts_of(family).items()
}
OUTCOMES: Final = ("success", "failure")


@attrs.define
class Writer:
    """Writes about one card in one language."""

    names: Names
    this: Noun
    """The noun by which the card's own text calls it."""
    that: Noun = attrs.field(init=False)
    """The noun for the card of the trigger, and so on for those below."""
    they: Noun = attrs.field(init=False)
    cause: Noun = attrs.field(init=False)
    target: Noun | None = None
    """None if the card does not say what the test is about."""
    happens_to_you: bool = False
    """True if "that investigator" is "you"."""
    struck: str = ""
    """The investigator who is the card of the trigger."""
    meant: str = ""
    """The cards of a lasting effect: what it gives is for them."""
    trigger: Happening | None = None
    outcome: str = ""
    """The outcome of a test for which the clause is: `success` or `failure`."""
    investigators: int = 0
    """Investigators for whom amounts are worked out; 0 leaves them as printed."""
    options: dict[Step, list[str]] = attrs.field(factory=dict)
    """The options of each step that leaves a choice, as written so far."""
    nouns: Nouns = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.nouns = Nouns(
            self.language, self.names, lambda form, value: self._filled(form, value, YOU)
        )
        card = self.language.noun("card")
        self.that = self.they = self.cause = card

    @property
    def language(self) -> Language:
        """The language in which it writes."""
        return self.names.language

    # Effects

    def told(self, effect: Effect, voice: Voice = YOU) -> str:
        """Return an effect as sentences."""
        return " ".join(sentences(self.clause(step, voice)) for step in effect)

    def clauses(self, effect: Effect, voice: Voice = YOU) -> str:
        """Return an effect as one clause, if none of its steps needs a sentence of its own."""
        parts = [self.clause(step, voice).removesuffix(".") for step in effect]
        if any(". " in part for part in parts) or any(isinstance(one, If) for one in effect[1:]):
            first, *rest = parts
            return " ".join([f"{first}.", *(sentences(part) for part in rest)])
        return self.language.joined(parts, "and")

    def clause(self, part: Any, voice: Voice = YOU) -> str:
        """Return a part of the vocabulary as a clause."""
        if isinstance(part, Test) and part.who is not Who.YOU:
            # Each of them is the "you" of what success and failure say.
            own = Test(part.skill, part.difficulty, part.success, part.failure)
            part = ForEach(part.who, (own,))
        if isinstance(part, Not):
            section, key = _KEYS[type(part.of)]
            if self.language.has(section, f"{key}.not"):
                return self._filled(self.language[section, f"{key}.not"], part.of, voice)
        if isinstance(part, Nearest | Each | Most):
            self.they = self.nouns.simple(part.of, "card")
        if isinstance(part, Fight | Evade):
            self.target = self.language.noun("enemy")
        elif isinstance(part, Investigate):
            self.target = self.language.noun("location")
        if isinstance(part, Either | May):
            ways = part.ways if isinstance(part, Either) else (part.do,)
            # Written by a copy: what a way calls "it" is not what comes after it calls so.
            alike = [copy.copy(self).clauses(way, Voice(form=Form.INFINITIVE)) for way in ways]
            self.options[part] = [sentences(way).removesuffix(".") for way in alike]
        section, key = _KEYS[type(part)]
        template = self.language[section, self._variant(section, key, part)]
        subject = getattr(part, "who", None)
        if subject is Who.YOU or (subject is Who.WHO and self.happens_to_you):
            subject = None
        if isinstance(subject, PEOPLE) and "{who}" not in template:
            said = self.people(subject)
            return f"{said} {self._filled(template, part, Voice(is_you=False))}"
        if isinstance(part, LastingStep) and part.card is not None:
            self.meant = self.say(part.card, "", part, voice, "card")
        said = self._filled(template, part, voice)
        if isinstance(part, LastingStep):
            self.meant = ""
        if isinstance(part, Is) and part.card is TheCard.TARGET:
            self.target = self.nouns.simple(part.a, "card")
        return said

    def _variant(self, section: str, key: str, part: Any) -> str:
        """Return the name of the template for a part: a special one, or that of its key."""
        wanted = [*(getattr(part, field, None) for field in ("how", "deed", "to")), self.trigger]
        names = [f"{key}.{one.value}" for one in wanted if isinstance(one, enum.Enum)]
        names.append(f"{key}.{self.outcome}")
        numbers = [getattr(part, name, None) for name in ("number", "by")]
        if any(isinstance(number, Amount) and number.n < 0 for number in numbers):
            names.insert(0, f"{key}.minus")
        return next((name for name in names if self.language.has(section, name)), key)

    def given(self, gives: tuple[Modifier, ...]) -> list[str]:
        """Return clauses for modifiers; those that add to values of the same are one clause."""
        said = []
        for _, same in itertools.groupby(gives, _alike):
            first, *others = same
            if others and isinstance(first, SkillModifier | StatModifier):
                amounts = [self.amount(one.by, "+$stat", one) for one in (first, *others)]  # type: ignore[attr-defined]
                joined = self.language.joined(amounts, "and")
                section, key = _KEYS[type(first)]
                said.append(self._filled(self.language[section, key], first, YOU, by=joined))
            else:
                said.append(self.clause(first))
        return said

    # Triggers

    def trigger_of(self, on: On) -> str:
        """Return a trigger, such as "after you defeat an enemy"."""
        moment, happening = on.parts()
        self.trigger = happening
        self.happens_to_you = on.who is Person.YOU
        key = happening.value
        roles = [name for name in ("by", "who") if getattr(on, name) is not None]
        names = [f"{key}.{moment.value}", *(f"{key}.{role}" for role in roles), key]
        name = next(name for name in names if self.language.has("on", name))
        form = {Moment.WOULD: Form.WOULD, Moment.AFTER: Form.PAST}.get(moment, Form.PRESENT)
        template = self.language["on", name]
        if on.who is not None and on.card == Filter(types=(CardType.INVESTIGATOR,)):
            self.struck = self.people(on.who)
            on = attrs.evolve(on, who=None)
        said = self._filled(template, on, Voice(form=form))
        self.struck = ""
        if on.is_first:
            said += f", {self.language['ability', 'is_first']}"
        return said if name == names[0] else self.language["moment", moment.value].format(said)

    # Templates

    def written(self, section: str, name: str, part: Any) -> str:
        """Return a template filled with the fields of a part."""
        return self._filled(self.language[section, name], part, YOU)

    def _filled(self, template: str, part: Any, voice: Voice, **extra: str) -> str:
        def slot(name: str, how: str, inside: Voice) -> str:
            return extra.get(name) or self._slot(name, how, part, inside)

        return filled(self.language, template, part, voice, slot)

    def _slot(self, name: str, how: str, part: Any, voice: Voice) -> str:
        """Return the words for a slot of a template."""
        if name == "this":
            return self.language.with_article("this", self.this)
        if name in ("harm", "direct_harm"):
            return self._harm(part, "direct_" if name == "direct_harm" else "")
        if name == "e":
            noun = self._role_noun(part, how)
            return "e" if noun.is_feminine else ""
        if name == "chosen":
            return self._chosen(part)
        value = getattr(part, name if hasattr(part, name) else f"{name}_")
        return self.say(value, how, part, voice, name)

    def say(self, value: Any, how: str, part: Any, voice: Voice, field: str) -> str:
        """Return the words for a value of a field."""
        match value:
            case None if isinstance(part, On) and field in ("who", "by"):
                return self.language["person", Person.ANYONE.value]
            case None | Filter():
                return self._filter(value or Filter(), how, part, field)
            case bool():
                return str(value)
            case Amount() | int():
                amount = value if isinstance(value, Amount) else Amount(value)
                if isinstance(part, On) and how:
                    return self._or_more(max(1, amount.n), self._counted(how, part))
                return self.amount(amount, how, part)
            case TheCard():
                return self._the_card(value, voice)
            case Person() | Who():
                return self.people(value)
            case Which() | Whom() | Condition() | Modifier() | Cost() | Step():
                return self.clause(value, voice)
            case On():
                return self.trigger_of(value)
            case Spot():
                return self.language["line", "spot"].format(value.row, value.column)
            case enum.Enum():
                section = how or type(value).__name__.lower()
                return self.language[section, str(value.value)]
            case str():
                return self.names.text(value, how)
            case tuple():
                return self._several(value, how, voice, field)
        raise TypeError(value)

    def _filter(self, of: Filter, how: str, part: Any, field: str) -> str:
        if isinstance(part, On):
            return self._role(field, of, how)
        if isinstance(part, Modifier) and field == "of" and self.meant:
            return self.meant
        if isinstance(part, Is) and is_bare(of):
            return self.nouns.bare(of, self.this if part.card is TheCard.THIS else self.they)
        article, _, noun = how.partition(" ")
        return self.filtered(of, article, noun or "card")

    def _several(self, values: tuple[Any, ...], how: str, voice: Voice, field: str) -> str:
        if how == "sentences":
            return self.told(values, voice)
        if how == "clause":
            before, self.outcome = self.outcome, field if field in OUTCOMES else self.outcome
            said = self.clauses(values, voice)
            self.outcome = before
            return said
        if how == "you":
            return self.clauses(values)
        if how == "inf":
            return self.clauses(values, Voice(voice.is_you, Form.INFINITIVE))
        if how == "count":
            counts = [self.amount(Amount(n), f"={token}") for token, n in Counter(values).items()]
            return self.language.joined(counts, "and")
        if values and isinstance(values[0], Modifier):
            return self.language.joined(self.given(values), "and")
        if field == "ways":
            inside = Voice(voice.is_you, Form.INFINITIVE)
            ways = [self.clauses(way, inside) for way in values]
            return self.language["grammar", "choice"].join(ways)
        parts = [
            self.names.text(one, "word" if field == "tokens" else "")
            if isinstance(one, str)
            else self.say(one, "", None, YOU, field)
            for one in values
        ]
        return self.language.joined(parts, how or "and")

    # Numbers

    def amount(self, amount: Amount, how: str, part: Any = None) -> str:
        """Return a number of something."""
        is_signed = how.startswith("+")
        noun = self._counted(how.removeprefix("+"), part)
        number = f"{amount.n:+d}" if is_signed else str(abs(amount.n))
        number = number.replace("-", MINUS)
        is_one = abs(amount.n) == 1
        said = noun.one if is_one else noun.many
        if amount.per is Factor.ONCE:
            return f"{number} {said}".rstrip()
        key = amount.per.value
        if amount.per is Factor.INVESTIGATORS and self.investigators:
            worked_out = self.amount(Amount(amount.n * self.investigators), how, part)
            return self.language["factor", f"{key}.of"].format(worked_out, n=number)
        wanted = [f"{key}.{self.outcome}"]
        wanted += [] if noun.many else [f"{key}.plain"]
        wanted += [f"{key}.one"] if is_one else []
        key = next((one for one in wanted if self.language.has("factor", one)), key)
        sign = ("+" if amount.n > 0 else MINUS) if is_signed else ""
        template = self.language["factor", key]
        return template.format(n=number, sign=sign, noun=said, nouns=noun.many)

    def _or_more(self, number: int, noun: Noun) -> str:
        said = noun.one if number == 1 else noun.many
        return self.language["factor", "or_more"].format(n=number, noun=said, nouns=noun.many)

    def _counted(self, how: str, part: Any) -> Noun:
        """Return the noun that a template names for a number, by itself or by a field."""
        if how.startswith("="):
            return self.names.token(how[1:])
        name, _, default = how.removeprefix("$").partition("/")
        if not name:
            return Noun("", "")
        if not how.startswith("$"):
            return self.language.noun(name)
        match getattr(part, name):
            case Filter() as of:
                return self.nouns.of(of, "card")
            case Slot() as slot:
                return self.language.noun(f"slot_{slot.value}")
            case Stat.DOOM:
                return self.language.noun("doom_threshold")
            case enum.Enum() as word:
                return self.language.noun(str(word.value).replace("-", "_"))
            case None:
                return self.language.noun(default)
            case str() as token:
                return self.names.token(token)
        raise TypeError(how)

    def _harm(self, part: Any, prefix: str) -> str:
        kinds = {"damage": ("damage", "number"), "horror": ("horror",)}
        said = []
        for noun, fields in kinds.items():
            value = next((getattr(part, one) for one in fields if hasattr(part, one)), 0)
            amount = value if isinstance(value, Amount) else Amount(value)
            if amount.n:
                said.append(self.amount(amount, f"{prefix}{noun}"))
        return self.language.joined(said or ["0"], "and")

    # Cards and people

    def people(self, whom: Any) -> str:
        """Return who is meant."""
        if whom is Who.AT_THIS:
            is_place = self.this == self.language.noun(CardType.LOCATION.value)
            key = f"{whom.value}.location" if is_place else whom.value
            return self.language["who", key].format(
                this=self.language.with_article("this", self.this)
            )
        if isinstance(whom, enum.Enum):
            return self.language[type(whom).__name__.lower(), str(whom.value)]
        return self.clause(whom)

    def _the_card(self, card: TheCard, voice: Voice) -> str:
        match card:
            case TheCard.THIS:
                return self.language.with_article("this", self.this)
            case TheCard.THAT:
                return self.language.with_article("that", self.that)
            case TheCard.THEY:
                return self.language.with_article("that", self.they)
            case TheCard.CAUSE:
                return self.language.with_article("that", self.cause)
            case TheCard.TARGET if self.target is not None:
                return self.language.with_article("that", self.target)
        template = self.language["thecard", card.value]
        return for_person(template, voice)

    def filtered(self, of: Filter, article: str, default: str) -> str:
        """Return the cards that fit a filter, with an article; `noun` for the noun without one."""
        return self.nouns.with_article(of, article, default, self.this, self.they)

    def _chosen(self, choice: Choose) -> str:
        self.they = self.nouns.simple(choice.of, "card")
        if (choice.least, choice.most) == (1, 1):
            return self.filtered(choice.of, "a", "card")
        noun = self.nouns.of(choice.of, "card")
        said = noun.one if choice.most == 1 else noun.many
        if choice.least == choice.most:
            return f"{choice.most} {said}"
        name = "between" if choice.least else "up_to"
        numbers = self.language["range", name].format(least=choice.least, most=choice.most)
        return f"{numbers} {said}"

    def _role(self, field: str, of: Filter, how: str) -> str:
        """Return a role of an occurrence, which the effect calls `that` or `cause`."""
        article, _, noun = how.partition(" ")
        simple = self.this if of.this else self.nouns.simple(of, noun or "card")
        if field == "card" and self.struck:
            return self.struck
        if field == "cause":
            self.cause = simple
        elif field == "card":
            self.that = simple
        return self.filtered(of, article, noun or "card")

    def _role_noun(self, on: On, field: str) -> Noun:
        of = getattr(on, field) or Filter()
        happening = on.parts()[1]
        default = "enemy" if happening in (Happening.DEFEATED, Happening.EVADED) else "card"
        return self.this if of.this else self.nouns.simple(of, default)


def _alike(modifier: Modifier) -> Any:
    """Return what modifiers have in common that only add to different values."""
    if isinstance(modifier, SkillModifier | StatModifier) and modifier.how is How.ADD:
        stat = next(iter(Stat))
        return attrs.evolve(modifier, stat=stat, by=NONE)  # type: ignore[misc]  # attrs by `part`
    return id(modifier)
