"""
People: name, harm, trauma and cards of each investigator and each ally.

The active investigator is marked.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

import attrs

from client.boards.signs import Sign
from client.games.first_edition.outdoors import is_in_water, story_before, tales_kept
from client.games.first_edition.panes.folding import folded
from client.games.first_edition.panes.scene import FirstEditionScene
from client.games.first_edition.panes.signs import investigator_signs
from client.locale.speaker import is_away_from
from client.text.printable import clip, width_of
from client.widgets.bits import Bit, Line, width_of_line
from client.widgets.canvas import Spot
from protocol.games.first_edition.table import Ally, FirstEditionTable, Investigator
from protocol.games.first_edition.words import Attribute

INDENT = "   "
"""The beginning of the lines below a name."""
_LEAST_NAME = 8
"""Columns of a name below which the words beside it are shortened."""


@attrs.frozen
class Person:
    """An investigator or an ally, drawn in forms of different length."""

    scene: FirstEditionScene
    game: FirstEditionTable
    sign: Sign
    who: Investigator | Ally

    @property
    def spot(self) -> Spot:
        # Choices point at allies as at investigators.
        return Spot("investigator", self.who.character_id)

    @property
    def name(self) -> Bit:
        """The name, in brackets while a choice points at the person."""
        name = self.scene.speaker.character(self.who.character_id)
        if self.scene.is_lit("investigator", self.who.character_id):
            return Bit(f"[{name}]", "class:map.lit", self.spot)
        return Bit(name, "", self.spot)

    def say(self, key: str, *params: str | int) -> str:
        return self.scene.speaker.say(key, *params)

    def numbers(self, form: str, width: int = 0) -> Line:
        """
        Return health and sanity, and an investigator's skill points.

        Args:
            form: `long` or `short`.
            width: the width of the pane, into which the long form must fit whole.
        """
        who = self.who
        health = self.say(f"party.health.{form}", max(0, who.health_left), who.health)
        sanity = self.say(f"party.sanity.{form}", who.sanity_left, who.sanity)
        bits = [Bit(health, "class:damage", self.spot), Bit(sanity, "class:horror", self.spot)]
        if isinstance(who, Investigator):
            points = self.say(f"party.points.{form}", who.skill_points)
            bits.append(Bit(points, "class:clues", self.spot))
        line = [bit for one in bits for bit in (Bit(" ", "", self.spot), one)][1:]
        # A number that is cut could be another one.
        if form == "long" and width_of_line(line) > width - len(INDENT):
            return self.numbers("short")
        return line

    def state_words(self) -> Iterator[str]:
        """Yield the states that investigators and allies have."""
        who, game = self.who, self.game
        if who.stun:
            yield self.say("party.stun", who.stun)
        if who.curses:
            yield self.say("party.cursed", who.curses)
        if who.character_id in game.trapped:
            yield self.say("party.trapped")
        if is_in_water(game, who.space):
            yield self.say("party.in_water")
        if who.fixed_test is not None:
            will_pass = who.fixed_test.is_passed
            yield self.say("party.will_pass" if will_pass else "party.will_fail")
        if who.is_insane:
            yield self.say("party.insane")

    def states(self, room: int | None = None) -> Line:
        """
        Return the states, the trauma cards in capitals, and the cards of the story.

        Args:
            room: the number of cells, None for no limit. What does not fit is counted.
        """
        line = [Bit(word, "class:marker", self.spot) for word in self.state_words()]
        traumas = (card for card in (self.who.injury, self.who.insanity) if card is not None)
        for card in traumas:
            is_lit = self.scene.is_lit("card", card)
            name = self.scene.speaker.card(card).upper()
            text, style = (f"[{name}]", "class:map.lit") if is_lit else (name, "class:marker")
            line.append(Bit(text, style, Spot("card", card)))
        story = map(self.scene.speaker.story_card, story_before(self.game, self.who.character_id))
        line += [Bit(name, "class:marker", self.spot) for name in story]
        if room is not None and sum(width_of(bit.text) + 2 for bit in line) - 2 > room:
            line = [Bit(f"+{len(line)}", "class:marker", self.spot)]
        return joined(line)

    def belongings(self) -> Line:
        """Return the names of items and spells."""
        who, speaker, names = self.who, self.scene.speaker, list[Bit]()
        held = [("possession", item.piece, item.card) for item in who.items]
        held += [("card", spell.handle, spell.card) for spell in who.spells]
        held += [("card", tale, tale) for tale in tales_kept(self.game, who.character_id)]
        for kind, piece, card in held:
            is_lit = self.scene.is_lit(kind, piece)
            style = "class:map.lit" if is_lit else "class:dim"
            name = speaker.card(card)
            names.append(Bit(f"[{name}]" if is_lit else name, style, Spot(kind, piece)))
        return joined(names)

    def attributes(self) -> Line:
        """Return all attributes in short words."""
        has = self.who.attributes
        words = [
            self.say(f"attribute.short.{one.value}", has[one]) for one in Attribute if one in has
        ]
        return joined([Bit(word, "class:dim", self.spot) for word in words])


@attrs.frozen
class _Member(Person):
    """An investigator."""

    who: Investigator

    def title(self, width: int) -> Line:
        """Return sign, name and player; for the active investigator, the steps and the action."""
        who, game, speaker = self.who, self.game, self.scene.speaker
        is_active = game.active == who.investigator_id and game.ending is None
        name, right = self.name, ""
        if is_active:
            numbers = (game.steps_left, int(game.has_action))
            right = self.say("party.left", *numbers)
            # A name matters more than the words beside the numbers.
            if width - width_of(right) - 4 < _LEAST_NAME:
                right = self.say("party.left_short", *numbers)
        elif who.has_acted:
            right = self.say("party.acted")
        # Three columns are taken: the mark of the active investigator, the sign, and a blank.
        room = width - 3 - (width_of(right) + 1 if right else 0)
        shown = clip(name.text, room)
        seat, player = self.scene.table.room.seats.get(who.seat), ""
        forms, player_style = [speaker.seat(self.scene.table, who.seat)], "class:dim"
        of_seat = [
            one.investigator_id for one in game.investigators.values() if one.seat == who.seat
        ]
        if len(of_seat) > 1:
            # One player leads two: W-PLAYER-2.
            at = of_seat.index(who.investigator_id) + 1
            forms.insert(0, self.say("party.one_of", forms[0], at, len(of_seat)))
        if seat is not None and is_away_from(seat):
            away = self.say("waiting_room.away")
            # That somebody is away matters more than who it is.
            forms, player_style = [f"{forms[0]}, {away}", away], "class:away"
        left = room - width_of(shown)
        player = next((f" ({form})" for form in forms if width_of(form) + 3 <= left), "")
        gap = " " * (width - 3 - width_of(shown) - width_of(player) - width_of(right))
        return [
            Bit(">" if is_active else " ", "class:turn", self.spot),
            Bit(self.sign.char, self.sign.style, self.spot),
            Bit(" ", "", self.spot),
            Bit(shown, name.style, self.spot),
            Bit(player, player_style, self.spot),
            Bit(gap, "", self.spot),
            Bit(right, "class:turn" if is_active else "class:dim", self.spot),
        ]

    def state_words(self) -> Iterator[str]:
        """Yield the states."""
        yield from super().state_words()
        if self.who.hidden_in is not None:
            yield self.say("party.hidden")
        if self.who.face_down:
            yield self.say("party.face_down", len(self.who.face_down))


def figure_line(sign: Sign, spot: Spot, name: Bit, place: str, right: Bit, width: int) -> Line:
    """Return sign, name and place of a figure, with some words at the end of the line."""
    gap = " " * max(1, len(INDENT) - len(sign.char))
    room = width - len(sign.char + gap) - width_of(right.text) - 1
    shown = clip(name.text, room)
    place = clip(f", {place}", room - width_of(shown))
    line = [
        Bit(sign.char, sign.style, spot),
        Bit(gap, "", spot),
        Bit(shown, name.style, spot),
        Bit(place, "class:dim", spot),
    ]
    fill = " " * (width - width_of_line(line) - width_of(right.text))
    return [*line, Bit(fill, "", spot), Bit(right.text, right.style, spot)]


def joined(line: Iterable[Bit]) -> Line:
    """Return parts of a line with commas between them."""
    return [bit for one in line for bit in (Bit(", ", "class:dim"), one)][1:]


def indented(line: Line) -> Line:
    """Return a line below the name of a person."""
    return [Bit(INDENT), *line]


def _whole(member: _Member, width: int) -> list[Line]:
    """Return everything about an investigator, with cards on as many lines as needed."""
    lines = [member.title(width), indented(member.numbers("long", width))]
    for line in (member.attributes(), member.states(), member.belongings()):
        if line:
            lines += folded(indented(line), width, INDENT)
    return lines


def _long(member: _Member, width: int) -> list[Line]:
    """Return states and cards in one line, which is clipped."""
    lines = [member.title(width), indented(member.numbers("long", width))]
    states = member.states(width - len(INDENT))
    rest = [*states, *([Bit("; ", "class:dim")] if states else []), *member.belongings()]
    return [*lines, indented(rest)] if member.belongings() or states else lines


def _short(member: _Member, width: int) -> list[Line]:
    line = indented([*member.numbers("short"), Bit(" ")])
    return [member.title(width), [*line, *member.states(width - width_of_line(line))]]


def _line(member: _Member, width: int) -> list[Line]:
    numbers, states = member.numbers("short"), member.states(0)
    used = width_of_line(numbers) + sum(width_of(bit.text) for bit in states) + 2
    return [[*member.title(max(12, width - used)), Bit(" "), *numbers, Bit(" "), *states]]


_FORMS: tuple[Callable[[_Member, int], list[Line]], ...] = (_whole, _long, _short, _line)


def party_forms(scene: FirstEditionScene, width: int) -> tuple[Sequence[Line], ...]:
    """Return the investigators in several forms, the one with the most details first."""
    game = scene.game
    if game is None:
        return ()
    signs = investigator_signs(game, scene.speaker)
    members = [_Member(scene, game, signs[name], who) for name, who in game.investigators.items()]
    # All members in one form: a mixture would look like a difference between them.
    return tuple([line for member in members for line in form(member, width)] for form in _FORMS)
