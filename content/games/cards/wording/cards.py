"""Texts of a card, written from its data: the line of facts, the traits, the rules text."""

from collections.abc import Iterator, Mapping
from typing import Final

from content.games.cards.schema.cards import (
    Ability,
    AbilityZone,
    ActCard,
    AgendaCard,
    AnyCard,
    Does,
    EnemyCard,
    InvestigatorCard,
    Limit,
    LocationFace,
    PlayerCard,
    ReferenceCard,
    StartingHand,
    StoryCard,
    SymbolEntry,
)
from content.games.cards.schema.conditions import MarginIs
from content.games.cards.schema.costs import UsesCost
from content.games.cards.schema.kinds import NONE, Amount, CardClass, CardType, Factor
from content.games.cards.schema.pack import AnyFace, Pack, faces_of, type_of
from content.games.cards.schema.scenario import Scenario
from content.games.cards.schema.steps import Evade, Fight, If, Investigate, Move, Put, Resign, Step
from content.games.cards.schema.targets import Uses
from content.games.cards.wording.language import Language, capital, language, sentences
from content.games.cards.wording.names import NameOf, Names
from content.games.cards.wording.writer import Writer
from content.language.walk import parts_in
from content.reading.corrections import in_order
from protocol.common.text import Catalog
from protocol.games.cards.words import STAR, SYMBOLS, WILD, Token

_OWN_NAMES = frozenset([CardType.ENEMY, CardType.LOCATION, CardType.ACT, CardType.AGENDA])
"""Types of card whose text calls them by their type; others are "this card"."""
_NAMES_ITSELF = (Fight, Evade, Investigate, Move, Resign)
"""Steps that begin with the name of their action."""
COUNTED: Final = ("facts", "goal", "text", "back", *(f"token.{one}" for one in (STAR, *SYMBOLS)))
"""Fields that a card has once more for each number of investigators, such as `facts.2`, if it
names amounts "per investigator"."""
CHOSEN: Final = (Does.ACTION, Does.FREE, Does.REACTION, Does.FORCED, Does.PLAY, Does.OBJECTIVE)
"""Kinds of ability that questions offer, each with its sentence."""
MOST_INVESTIGATORS: Final = 4


def fields_of(face: AnyFace, name: str, name_of: NameOf) -> Mapping[str, str]:
    """
    Return the fields that are written from the data of a card; empty ones are left out.

    Args:
        face: the card, or the face of a location.
        name: the language, such as `en`.
        name_of: returns a field of the words of a subject; empty if there is none.
    """
    words = language(name)
    found = _written(face, words, name_of, 0)
    # Most cards name no such amount, and are the same for any number.
    if any(isinstance(one, Amount) and one.per is Factor.INVESTIGATORS for one in parts_in(face)):
        for number in range(1, MOST_INVESTIGATORS + 1):
            counted = _written(face, words, name_of, number)
            found |= {
                f"{of}.{number}": counted[of] for of in COUNTED if counted.get(of) != found.get(of)
            }
    return {field: words.printed(text) for field, text in found.items() if text}


def _written(face: AnyFace, words: Language, name_of: NameOf, investigators: int) -> dict[str, str]:
    kind = type_of(face)
    this = words.noun(kind.value if kind in _OWN_NAMES else "card")
    writer = Writer(Names(words, name_of), this, investigators=investigators)
    traits = " ".join(f"{name_of(f'trait/{trait}', 'name') or trait}." for trait in face.traits)
    found = {
        "facts": words["facts", "separator"].join(one for one in _facts(writer, face) if one),
        "goal": _goal(writer, face),
        "short": words["facts", "separator"].join(filter(None, _short(writer, face))),
        "traits": traits,
        "text": "\n".join(line for one in _text(writer, face) if (line := words.tidy(one))),
        "back": _back(writer, face),
    }
    abilities = {
        f"ability.{at}": words.tidy(_ability(writer, one))
        for at, one in enumerate(face.abilities)
        if one.does in CHOSEN
    }
    symbols = {name: words.tidy(line) for name, line in _symbols(writer, face)}
    units = dict(_units(face, writer.names))
    return {**found, **abilities, **symbols, **units, **dict(_options(writer, face))}


def _units(face: AnyFace, names: Names) -> Iterator[tuple[str, str]]:
    """
    Yield the names of tokens of which a card alone speaks, such as its uses: many, and one.

    A client is sent the words of cards, and not those of a kind of token.
    """
    of_all = {one.value for one in Token}
    for part in parts_in(face):
        kind = part.token if isinstance(part, Put) else getattr(part, "kind", "")
        if isinstance(part, Put | Uses | UsesCost) and kind not in of_all:
            noun = names.token(kind)
            yield f"unit.{kind}", noun.many
            yield f"unit.{kind}.one", noun.one


def _options(writer: Writer, owner: AnyFace | Scenario) -> Iterator[tuple[str, str]]:
    """
    Yield what each option does that a step leaves to players, by its field.

    `option.3.1` is the second option of the step at position 3. Each was written with the steps.
    """
    for at, step in enumerate(_steps(owner)):
        for number, said in enumerate(writer.options.get(step, ())):
            yield f"option.{at}.{number}", writer.language.tidy(said)


def _steps(owner: AnyFace | Scenario) -> Iterator[Step]:
    return (one for one in parts_in(owner) if isinstance(one, Step))


def with_card_texts(pack: Pack) -> Mapping[str, Catalog]:
    """
    Return the words of a pack with the fields that are written from the data of its cards.

    What the author wrote stays.
    """
    return {
        name: {**catalog, **_card_texts(pack, name, catalog)}
        for name, catalog in pack.catalogs.items()
    }


def _card_texts(pack: Pack, name: str, catalog: Catalog) -> Catalog:
    def name_of(subject: str, field: str) -> str:
        return catalog.get(subject, {}).get(field, "")

    texts = {face.id: fields_of(face, name, name_of) for face in pack.all_faces()}
    texts |= {one.id: _scenario_options(one, name, name_of) for one in pack.scenarios.values()}
    words = language(name)
    for card in pack.all_cards():
        if versions := in_order(pack.history.get(card.id, {})):
            corrected = words["facts", "corrected"].format(words.joined(versions, "and"))
            for face in faces_of(card):
                texts[face.id] = {**texts[face.id], "corrected": corrected}
    for deck in pack.decks.values():
        cards = [f"{number} × {name_of(id_, 'name')}" for id_, number in deck.cards.items()]
        own = [name_of(id_, "name") for id_ in pack.investigators[deck.investigator].signatures]
        listed = [words["facts", "separator"].join(some) for some in (cards, own)]
        said = words["facts", "deck"].format(*listed)
        texts[deck.investigator] = {**texts[deck.investigator], "deck": words.printed(said)}
    return {id_: _beside(catalog.get(id_, {}), fields) for id_, fields in texts.items()}


def _beside(authors: Mapping[str, str], fields: Mapping[str, str]) -> dict[str, str]:
    """Add the fields that the author did not write; one written stands for any number, too."""
    return {
        **{field: text for field, text in fields.items() if field.partition(".")[0] not in authors},
        **authors,
    }


def _scenario_options(scenario: Scenario, name: str, name_of: NameOf) -> dict[str, str]:
    words = language(name)
    writer = Writer(Names(words, name_of), words.noun("card"))
    for step in _steps(scenario):
        writer.clause(step)
    return dict(_options(writer, scenario))


# Facts


def _facts(writer: Writer, face: AnyFace) -> Iterator[str]:
    """Yield the facts of a card, as they are printed around its picture."""
    kind = type_of(face)
    yield writer.language["facts", f"type.{kind.value}"]
    if isinstance(face, AnyCard) and face.unique:
        yield writer.language["facts", "unique"]
    if getattr(face, "weakness", False):
        yield writer.language["facts", "basic" if getattr(face, "basic", False) else "weakness"]
    match face:
        case InvestigatorCard():
            yield writer.language["cardclass", face.class_.value]
            skills = (face.willpower, face.intellect, face.combat, face.agility)
            yield writer.language["facts", "skills"].format(*skills)
            yield from _numbers(writer, face, "health", "sanity")
        case PlayerCard():
            yield from _player(writer, face)
        case EnemyCard():
            yield from _numbers(writer, face, "fight", "health", "evade", dash=True)
            yield from _numbers(writer, face, "damage", "horror")
        case StoryCard():
            yield from _borne(writer, face)
        case LocationFace():
            yield from _numbers(writer, face, "shroud", "clues")
        case ActCard():
            yield from _numbers(writer, face, "clues")
        case AgendaCard():
            yield from _numbers(writer, face, "doom")


def _goal(writer: Writer, face: AnyFace) -> str:
    """Return how many clues or how much doom advance an act or agenda; empty if none do."""
    amount = None
    if isinstance(face, ActCard | AgendaCard):
        amount = face.clues if isinstance(face, ActCard) else face.doom
    if amount is None:
        return ""
    if amount.per is not Factor.INVESTIGATORS:
        return writer.amount(amount, "").strip()
    return str(amount.n * writer.investigators) if writer.investigators else ""


def _short(writer: Writer, face: AnyFace) -> Iterator[str]:
    """Yield the cost and the icons of a card in hand, for lists."""
    if isinstance(face, PlayerCard):
        if face.type is not CardType.SKILL and not face.weakness:
            yield from _numbers(writer, face, "cost", dash=True)
        yield ", ".join(_icons(writer, face))


def _player(writer: Writer, card: PlayerCard) -> Iterator[str]:
    if not card.weakness:
        classes = [writer.language["cardclass", one.value] for one in card.class_]
        if card.signature_of is None or card.class_ != (CardClass.NEUTRAL,):
            yield writer.language.joined(classes, "and")
    yield from _numbers(writer, card, "level")
    if card.type is not CardType.SKILL and not card.weakness:
        yield from _numbers(writer, card, "cost", dash=True)
    yield from _borne(writer, card)


def _borne(writer: Writer, card: PlayerCard | StoryCard) -> Iterator[str]:
    """Yield icons, slots, health and sanity."""
    if card.icons:
        yield writer.language["facts", "icons"].format(", ".join(_icons(writer, card)))
    if card.slots:
        yield ", ".join(writer.language["slot", slot.value] for slot in card.slots)
    yield from _numbers(writer, card, "health", "sanity")


def _icons(writer: Writer, card: PlayerCard | StoryCard) -> Iterator[str]:
    for one in card.icons:
        if one == WILD:
            yield writer.language["facts", "wild"]
        elif writer.language.has("skill", one):
            yield writer.language["skill", one]


def _numbers(writer: Writer, card: object, *fields: str, dash: bool = False) -> Iterator[str]:
    """Yield numbers with what they are called; `dash`: also those that the card has not."""
    for field in fields:
        value = getattr(card, field)
        if value is None and not dash:
            continue
        said = writer.language["facts", "none"] if value is None else _plain(writer, value)
        yield writer.language["facts", field].format(said)


def _plain(writer: Writer, value: Amount | int) -> str:
    if isinstance(value, int):
        return str(value)
    if value.per is Factor.INVESTIGATORS:
        if not writer.investigators:
            return writer.language["facts", "per"].format(value.n)
        total = value.n * writer.investigators
        return writer.language["factor", f"{value.per.value}.of"].format(total, n=value.n)
    return writer.amount(value, "").strip()


# Text


def _starting_hand(writer: Writer, hand: StartingHand) -> str:
    """Return what replaces the starting hand of an investigator."""
    beneath = ""
    if hand.beneath is not None:
        what = writer.nouns.of(hand.beneath, "card").many
        beneath = writer.language["line", "most_beneath"].format(hand.most_beneath, what)
    said = writer.language["line", "starting_hand"]
    return said.format(hand.drawn, beneath, hand.cards_kept)


def _text(writer: Writer, face: AnyFace) -> Iterator[str]:
    """Yield the lines of a rules text."""
    yield " ".join(_keywords(writer, face))
    if isinstance(face, PlayerCard):
        if face.attached_to is not None:
            yield _line(writer, "attached_to", writer.filtered(face.attached_to, "a", "card"))
        if face.copy_of is not None:
            yield _line(writer, "copy_of", writer.filtered(face.copy_of, "a", "event"))
        if face.permitted is not None:
            said = writer.clause(face.permitted)
            yield writer.language["ability", "permitted"].format(permitted=said)
    for ability in face.abilities:
        yield _ability(writer, ability)
    match face:
        case InvestigatorCard():
            if (hand := face.starting_hand) is not None:
                yield _starting_hand(writer, hand)
            yield from (line for _, line in _symbols(writer, face))
        case ReferenceCard():
            yield from (line for _, line in _symbols(writer, face))
        case PlayerCard():
            if face.most_committed is not None:
                yield _line(writer, "most_committed", str(face.most_committed))
        case _:
            pass
    for limit in face.limits if isinstance(face, AnyCard) else ():
        name = f"limit_{limit.zone.value}{'_group' * limit.group}"
        yield _line(writer, name, str(limit.most))
    yield " ".join(
        _line(writer, field, str(number))
        for field in ("victory", "vengeance")
        if (number := getattr(face, field, None)) is not None
    )


def _line(writer: Writer, name: str, said: str) -> str:
    return writer.language["line", name].format(said)


def _keywords(writer: Writer, face: AnyFace) -> Iterator[str]:
    if isinstance(face, LocationFace):
        return
    for keyword in face.keywords:
        yield f"{writer.language['keyword', keyword.value]}."
    if isinstance(face, PlayerCard | StoryCard) and face.uses is not None:
        yield writer.written("line", "uses", face.uses)
    if isinstance(face, EnemyCard):
        if face.prey is not None:
            yield writer.written("line", "prey", face.prey)
        if face.swarming is not None:
            yield _line(writer, "swarming", _plain(writer, face.swarming))
        if face.spawn is not None:
            yield _line(writer, "spawn", writer.filtered(face.spawn, "a", "location"))
        if face.in_spaces:
            yield writer.language["line", "in_spaces"]
        if face.spawns_in_space:
            yield _line(writer, "spawn", writer.language["line", "in_space"])


def _symbols(writer: Writer, face: AnyFace) -> Iterator[tuple[str, str]]:
    """Yield what a card says about chaos tokens, by the field of each, such as `token.s1`."""
    if isinstance(face, InvestigatorCard):
        bonus = writer.amount(face.star_bonus, "+").strip()
        said = _line(writer, "star", f"{bonus}. {writer.told(face.star)}")
        yield f"token.{STAR}", said
    elif isinstance(face, ReferenceCard):
        for symbol in SYMBOLS:
            yield f"token.{symbol}", _symbol(writer, symbol, getattr(face, symbol))


def _symbol(writer: Writer, symbol: str, entry: SymbolEntry) -> str:
    """Return the line of one scenario symbol."""
    parts = [f"{writer.amount(entry.by, '+').strip() if entry.by != NONE else '0'}."]
    parts.append(writer.told(entry.effect))
    if entry.another:
        parts.append(writer.language["line", "symbol_another"])
    if entry.failure:
        parts.append(_line(writer, "symbol_failure", writer.clauses(entry.failure)))
    said = " ".join(part for part in parts if part)
    name = capital(writer.names.chaos(symbol))
    return writer.language["line", "symbol"].format(name, said)


def _ability(writer: Writer, ability: Ability) -> str:
    """Return the text of one ability: when, on what terms, at what cost, and what it does."""
    words = writer.language
    does = ability.does
    header = words["does", does.value]
    if does is Does.ACTION and ability.actions > 1:
        header = words["does", "action.several"].format(n=ability.actions)
    trigger = "" if ability.on is None else writer.trigger_of(ability.on)
    condition = "" if ability.if_ is None else writer.clause(ability.if_)
    costs = (
        words.joined([writer.clause(cost) for cost in ability.cost], "and") if ability.cost else ""
    )
    if does in (Does.SUCCESS, Does.FAILURE):
        writer.outcome = does.value
        terms = [words["ability", does.value]]
        effect = ability.effect
        asked = [] if ability.if_ is None else [ability.if_]
        if len(effect) == 1 and isinstance(effect[0], If) and not effect[0].else_:
            asked.append(effect[0].that)
            effect = effect[0].do
        for one in asked:
            if isinstance(one, MarginIs):
                terms = [words["ability", f"{does.value}_by"].format(one.least)]
            else:
                terms.append(words["ability", "if"].format(writer.clause(one)))
        said = sentences(f"{', '.join(terms)}, {writer.clauses(effect)}")
    elif does is Does.CONSTANT:
        said = _constant(writer, ability, condition)
    elif does is Does.PLAY:
        terms = [words["ability", "play_on"].format(trigger)] if trigger else []
        terms += [words["ability", "permitted"].format(permitted=condition)] if condition else []
        terms += [words["ability", "play_cost"].format(costs)] if costs else []
        said = " ".join([*terms, _effect(writer, ability)])
    else:
        if condition:
            condition = words["ability", "if"].format(condition)
        terms = [term for term in (trigger, condition, costs) if term]
        said = _effect(writer, ability)
        if terms:
            said = words["grammar", "label"].format(capital(", ".join(terms)), said)
    notes = []
    if ability.zone is not AbilityZone.COMMITTED:
        notes.append(words["abilityzone", ability.zone.value])
    if ability.by is not None:
        notes.append(words["by", ability.by.value])
    if ability.limit is not None:
        notes.append(_limit(writer, ability.limit))
    writer.trigger, writer.outcome = None, ""
    return " ".join(part for part in (f"{header}{said}", *notes) if part)


def _effect(writer: Writer, ability: Ability) -> str:
    """Return what an ability does, after its designators."""
    names = []
    if not ability.effect or not isinstance(ability.effect[0], _NAMES_ITSELF):
        names = [f"{writer.language['deed', deed.value]}." for deed in ability.deed]
    return " ".join([*names, writer.told(ability.effect)])


def _constant(writer: Writer, ability: Ability, condition: str) -> str:
    """Return a constant ability: what it gives, and while what holds."""
    given = writer.given(ability.gives)
    said = " ".join(sentences(one) for one in given)
    if condition:
        joined = writer.language.joined(given, "and")
        said = sentences(writer.language["modifier", "while"].format(if_=condition, gives=joined))
    if ability.zone is AbilityZone.COMMITTED:
        key = f"{ability.zone.value}.{Does.CONSTANT.value}"
        said = f"{writer.language['abilityzone', key]}{said[:1].lower()}{said[1:]}"
    return said


def _limit(writer: Writer, limit: Limit) -> str:
    return writer.written("ability", "limit.one" if limit.times == 1 else "limit", limit)


def _back(writer: Writer, face: AnyFace) -> str:
    """Return what the back of an act or agenda says."""
    return writer.told(face.back) if isinstance(face, ActCard | AgendaCard) else ""
