"""
The column beside the map: sections one below the other, with as many details as fit.

Investigators read of their party first; the keeper, of threat, event and hand.
"""

from collections.abc import Iterator, Sequence

import attrs

from client.boards.signs import Sign
from client.games.first_edition.outdoors import known_story_card, story_before, tales_kept
from client.games.first_edition.panes.allies import ally_forms
from client.games.first_edition.panes.folding import folded
from client.games.first_edition.panes.known import seen_by_investigators
from client.games.first_edition.panes.legend import damage_of
from client.games.first_edition.panes.party import INDENT, figure_line, joined, party_forms
from client.games.first_edition.panes.scene import FirstEditionScene
from client.games.first_edition.panes.signs import monster_signs
from client.text.printable import clip, width_of
from client.widgets.bits import Bit, Line, width_of_line, wrapped
from client.widgets.canvas import Spot
from client.widgets.sections import Section
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    TRAUMA_HAND,
    FirstEditionTable,
    KeeperAction,
    Monster,
    Phase,
)


def sections(scene: FirstEditionScene, width: int) -> list[Section]:
    """Return the sections for the viewer's role, the most important first."""
    game, say = scene.game, scene.speaker.say
    party = Section(say("pane.party"), party_forms(scene, width), is_needed=True)
    if game is None:
        return [party]
    night = Section(say("pane.keeper"), tuple(_night(scene, game, width)), is_needed=True)
    allies = Section(say("pane.allies"), ally_forms(scene, width), is_needed=True)
    monsters = Section(say("box.monsters"), tuple(_monsters(scene, game, width)), is_needed=True)
    clues = Section(say("pane.clues"), tuple(_clues(scene, game, width)))
    actions = Section(say("pane.actions"), tuple(_actions(scene, game, width)))
    objective = Section(say("box.objective"), tuple(_objective(scene, game, width)))
    if not scene.is_keeper:
        cards = Section(say("pane.cards"), tuple(_cards(scene, game, width)))
        return [party, allies, night, monsters, objective, clues, cards, actions]
    hand = Section(say("pane.hand"), tuple(_hand(scene, width)), is_needed=True)
    seen = Section(say("pane.seen"), tuple(_seen(scene, width)))
    return [night, hand, monsters, party, allies, objective, seen, actions]


# What lies open on the keeper's side -------------------------------------------------------


def _night(
    scene: FirstEditionScene, game: FirstEditionTable, width: int
) -> Iterator[Sequence[Line]]:
    """Yield threat, hands, event, clues and counters, on several lines and on few."""
    if not game.tiles:
        return
    say, speaker = scene.speaker.say, scene.speaker
    hands = [len(game.hand(MYTHOS_HAND)), len(game.hand(TRAUMA_HAND))]
    threat = Bit(say("night.threat", game.threat), "class:marker")
    points = say("night.points", game.keeper_skill_points)
    monsters = [Bit(points, "class:marker")] if game.keeper_skill_points else []
    counters = []
    # Long scales first. A counter to 1 is listed only once it is full.
    told = [one for one in game.counters.items() if one[1].amount or one[1].most != 1]
    for name, counter in sorted(told, key=lambda one: -(one[1].most or 0)):
        words = speaker.counter(game, name)
        amount = f"{counter.amount}" if counter.most is None else f"{counter.amount}/{counter.most}"
        counters.append(Bit(f"{words} {amount}", "class:marker"))
    found = len(game.clues)
    clues = Bit(say("night.clues", found, game.clues_left), "class:clues")
    sides = [threat, Bit(say("night.hands", *hands)), *monsters]
    if is_sealed_to_keeper(scene, game):
        counters.append(Bit(say("night.objective_unknown"), "class:marker"))
    yield [
        line
        for facts in (sides, [*_event(scene, game)], [clues, *counters])
        for line in _in_lines(facts, width)
    ]
    short = [threat, Bit(say("night.hands_short", *hands)), *monsters]
    more = [Bit(say("night.event_short", game.time, game.event_time))] if game.events else []
    more.append(Bit(say("night.clues_short", found, found + game.clues_left), "class:clues"))
    yield _in_lines([*short, *more, *counters], width)


def _in_lines(facts: Sequence[Bit], width: int) -> list[Line]:
    """Return facts in as few lines as hold them, each line with a capital and separators."""
    lines: list[list[Bit]] = []
    for fact in facts:
        if lines and width_of_line(joined([*lines[-1], fact])) <= width:
            lines[-1].append(fact)
        else:
            lines.append([attrs.evolve(fact, text=f"{fact.text[:1].upper()}{fact.text[1:]}")])
    return [joined(line) for line in lines]


def _event(scene: FirstEditionScene, game: FirstEditionTable) -> Iterator[Bit]:
    """Yield the time tokens, the number and, for who knows it, the name of the next event."""
    say = scene.speaker.say
    if not game.events:
        if game.phase is not Phase.SETUP:
            yield Bit(say("night.no_event"), "class:dim")
        return
    yield Bit(say("night.event", game.time, game.event_time), "class:marker")
    if game.events[0].is_open:
        yield Bit(scene.speaker.card(game.events[0].value))
    yield Bit(say("night.events_left", len(game.events)), "class:dim")


# The hand ----------------------------------------------------------------------------------


def _hand(scene: FirstEditionScene, width: int) -> Iterator[Sequence[Line]]:
    """Yield the keeper's cards: with their texts, a line for each, and all in one line."""
    piles = ((MYTHOS_HAND, "card.mythos"), (TRAUMA_HAND, "card.trauma"))
    cards = [(*one, key) for pile, key in piles for one in scene.known_hand(pile)]
    whole: list[Line] = []
    listed: list[Line] = []
    names: Line = []
    for handle, card, key in cards:
        is_lit, spot = scene.is_lit("card", handle), Spot("card", handle)
        name = scene.speaker.card(card)
        shown = f"[{name}]" if is_lit else name
        style = "class:map.lit" if is_lit else "class:card"
        kind = scene.speaker.say(key)
        gap = " " * max(1, width - width_of(shown) - width_of(kind))
        line = [Bit(clip(shown, width), style, spot), Bit(gap + kind, "class:dim", spot)]
        listed.append(line)
        names.append(Bit(shown, style, spot))
        whole.append(line)
        for text in scene.speaker.details("card", card):
            whole += _pointing(wrapped(text, width, "class:dim", indent=len(INDENT)), spot)
    if not cards:
        return
    yield whole
    yield listed
    yield [*folded(joined(names), width, "  ")]


def _pointing(lines: list[Line], spot: Spot) -> list[Line]:
    return [[attrs.evolve(bit, spot=spot) for bit in line] for line in lines]


# Monsters ----------------------------------------------------------------------------------


def _monsters(
    scene: FirstEditionScene, game: FirstEditionTable, width: int
) -> Iterator[Sequence[Line]]:
    """Yield each monster with its place, damage and values, and in one line."""
    signs = monster_signs(game, scene.speaker)
    lines = {
        piece: _monster_line(scene, game, monster, signs[piece], width)
        for piece, monster in game.monsters.items()
    }
    whole: list[Line] = []
    for piece, monster in game.monsters.items():
        text = monster_values(scene, monster)
        spot = Spot("monster", piece)
        whole.append(lines[piece])
        whole += _pointing(wrapped(text, width, "class:dim", indent=len(INDENT)), spot)
    yield whole
    yield [*lines.values()]


def monster_values(scene: FirstEditionScene, monster: Monster) -> str:
    """Return class, awareness and horror rating of a monster; its damage if the viewer knows it."""
    say = scene.speaker.say
    class_ = say(f"class.{monster.class_.value}")
    values = say("monster.values", class_, f"{monster.awareness:+}", f"{monster.horror:+}")
    deals = [say("monster.deals", monster.back.value.damage)] if monster.back.is_open else []
    flies = [say("monster.flies")] if monster.is_flying else []
    return ", ".join((values, *flies, *deals))


def _monster_line(
    scene: FirstEditionScene, game: FirstEditionTable, monster: Monster, sign: Sign, width: int
) -> Line:
    """Return a monster's sign, name and place, and its damage at the end of the line."""
    speaker, spot = scene.speaker, Spot("monster", monster.monster_id)
    is_lit = scene.is_lit("monster", monster.monster_id)
    name = speaker.monster(game, monster)
    stun = speaker.say("party.stun", monster.stun) if monster.stun else ""
    trapped = speaker.say("party.trapped") if monster.monster_id in game.trapped else ""
    right = " ".join(part for part in (stun, trapped, damage_of(monster)) if part)
    shown = Bit(f"[{name}]" if is_lit else name, "class:map.lit" if is_lit else "")
    place = speaker.space(game, monster.space)
    return figure_line(sign, spot, shown, place, Bit(right, "class:damage"), width)


# The objective, the clues, and what is known -----------------------------------------------


def _objective(
    scene: FirstEditionScene, game: FirstEditionTable, width: int
) -> Iterator[Sequence[Line]]:
    """Yield the objective, if the viewer knows it: with its text, and its name alone."""
    card = known_objective(game)
    if card is None:
        if is_sealed_to_keeper(scene, game):
            yield wrapped(scene.speaker.say("box.objective_unknown"), width, "class:dim")
        return
    name = wrapped(scene.speaker.card(card), width, "class:card")
    yield [*name, *wrapped(scene.speaker.aim(card), width, "class:dim")]
    yield name


def known_objective(game: FirstEditionTable) -> str | None:
    """Return the objective if the viewer knows it: revealed, or in the keeper's eyes."""
    if game.revealed is not None:
        return game.revealed
    objective = game.objective
    return objective.value if objective is not None and objective.is_open else None


def is_sealed_to_keeper(scene: FirstEditionScene, game: FirstEditionTable) -> bool:
    """Return whether the viewer is a keeper from whom the objective is kept. W-STORY-5."""
    return scene.is_keeper and game.objective is not None and known_objective(game) is None


def _clues(
    scene: FirstEditionScene, game: FirstEditionTable, width: int
) -> Iterator[Sequence[Line]]:
    """Yield the clues of the team: with what they told, and their names."""
    whole: list[Line] = []
    for clue in reversed(game.clues):
        whole += wrapped(scene.speaker.card(clue), width, "class:card")
        for text in scene.speaker.details("card", clue):
            whole += wrapped(text, width, "class:dim", indent=len(INDENT))
    yield whole
    names = [Bit(scene.speaker.card(clue), "", Spot("card", clue)) for clue in game.clues]
    yield [*folded(joined(names), width, "  ")] if names else []


def _seen(scene: FirstEditionScene, width: int) -> Iterator[Sequence[Line]]:
    """Yield what the investigators know by now, a line for each thing."""
    facts = seen_by_investigators(scene)
    yield [line for fact in facts for line in wrapped(fact, width, "class:dim")]


def _cards(
    scene: FirstEditionScene, game: FirstEditionTable, width: int
) -> Iterator[Sequence[Line]]:
    """Yield the cards of the viewer's own investigators with their texts."""
    lines: list[Line] = []
    for who in game.investigators.values():
        if who.seat != scene.seat:
            continue
        cards = [(Spot("possession", one.piece), one.card) for one in who.items]
        cards += [(Spot("card", one.handle), one.card) for one in who.spells]
        traumas = (card for card in (who.injury, who.insanity) if card is not None)
        story = [known_story_card(one) for one in story_before(game, who.investigator_id)]
        known = (card for card in story if card is not None)
        tales = tales_kept(game, who.investigator_id)
        cards += [(Spot("card", card), card) for card in (*traumas, *known, *tales, *who.traits)]
        for spot, card in cards:
            is_lit, name = scene.is_lit(spot.kind, spot.value), scene.speaker.card(card)
            shown = clip(f"[{name}]" if is_lit else name, width)
            lines.append([Bit(shown, "class:map.lit" if is_lit else "class:card", spot)])
            for text in scene.speaker.details("card", card):
                lines += _pointing(wrapped(text, width, "class:dim", indent=len(INDENT)), spot)
    yield lines


def _actions(
    scene: FirstEditionScene, game: FirstEditionTable, width: int
) -> Iterator[Sequence[Line]]:
    """Yield the keeper actions: with their texts, and a line for each."""
    whole: list[Line] = []
    listed: list[Line] = []
    known = known_actions(game)
    notes = [""] * len(game.actions) + [scene.speaker.say("action.hidden_own")] * len(known)
    for action, note in zip((*game.actions, *known), notes, strict=True):
        spot, name = Spot("card", action.card), scene.speaker.card(action.card)
        # Half a name says less than how often a turn an action can be used.
        costs = [
            ", ".join(filter(None, (action_cost(scene, game, action, is_short=is_short), note)))
            for is_short in (False, True)
        ]
        cost = next((c for c in costs if width_of(name) + 1 + width_of(c) <= width), costs[-1])
        shown = clip(name, width - width_of(cost) - 1)
        gap = " " * (width - width_of(shown) - width_of(cost))
        line = [Bit(shown, "class:card", spot), Bit(gap + cost, "class:marker", spot)]
        listed.append(line)
        whole.append(line)
        for text in scene.speaker.details("card", action.card):
            whole += _pointing(wrapped(text, width, "class:dim", indent=len(INDENT)), spot)
    unknown = len(game.hidden_actions) - len(known)
    if unknown:
        line = [Bit(scene.speaker.say("action.hidden", unknown), "class:dim")]
        listed.append(line)
        whole.append(line)
    yield whole
    yield listed


def known_actions(game: FirstEditionTable) -> Sequence[KeeperAction]:
    """Return the keeper actions face down that the viewer knows. W-SECRET-3."""
    return [sealed.value for sealed in game.hidden_actions if sealed.is_open]


def action_cost(
    scene: FirstEditionScene,
    game: FirstEditionTable,
    action: KeeperAction,
    *,
    is_short: bool = False,
) -> str:
    """Return what a keeper action costs, and in the long form how often it can be used."""
    say = scene.speaker.say
    parts = [say("action.threat", action.threat)]
    parts += [f"{scene.speaker.counter(game, name)} {count}" for name, count in action.tokens]
    if action.is_once and (action.uses or not is_short):
        parts.append(say("action.used" if action.uses else "action.once"))
    return ", ".join(parts)
