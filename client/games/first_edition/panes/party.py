"""The investigators: name, harm, trauma and cards of each; the active one is marked."""

from collections.abc import Callable, Sequence

import attrs

from client.boards.signs import Sign
from client.games.first_edition.panes.folding import folded
from client.games.first_edition.panes.scene import FirstEditionScene
from client.games.first_edition.panes.signs import investigator_signs
from client.locale.speaker import is_away_from
from client.text.printable import clip, width_of
from client.widgets.bits import Bit, Line, width_of_line
from client.widgets.canvas import Spot
from protocol.games.first_edition.table import FirstEditionTable, Investigator
from protocol.games.first_edition.words import Attribute

_INDENT = "   "
_LEAST_NAME = 8
"""Columns of a name below which the words beside it are shortened."""


@attrs.frozen
class _Member:
    """An investigator, drawn in forms of different length."""

    scene: FirstEditionScene
    game: FirstEditionTable
    who: Investigator
    sign: Sign

    @property
    def spot(self) -> Spot:
        return Spot("investigator", self.who.investigator_id)

    def say(self, key: str, *params: str | int) -> str:
        return self.scene.speaker.say(key, *params)

    def title(self, width: int) -> Line:
        """Return sign, name and player; for the active investigator, the steps and the action."""
        who, game, speaker = self.who, self.game, self.scene.speaker
        is_active = game.active == who.investigator_id and game.ending is None
        is_lit = self.scene.is_lit("investigator", who.investigator_id)
        name = speaker.investigator(who.investigator_id)
        right = ""
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
        shown = clip(f"[{name}]" if is_lit else name, room)
        seat, player = self.scene.table.room.seats.get(who.seat), ""
        forms, player_style = [speaker.seat(self.scene.table, who.seat)], "class:dim"
        if seat is not None and is_away_from(seat):
            away = self.say("waiting_room.away")
            # That somebody is away matters more than who it is.
            forms, player_style = [f"{forms[0]}, {away}", away], "class:away"
        left = room - width_of(shown)
        player = next((f" ({form})" for form in forms if width_of(form) + 3 <= left), "")
        gap = " " * (width - 3 - width_of(shown) - width_of(player) - width_of(right))
        style = "class:map.lit" if is_lit else ""
        return [
            Bit(">" if is_active else " ", "class:turn", self.spot),
            Bit(self.sign.char, self.sign.style, self.spot),
            Bit(" ", "", self.spot),
            Bit(shown, style, self.spot),
            Bit(player, player_style, self.spot),
            Bit(gap, "", self.spot),
            Bit(right, "class:turn" if is_active else "class:dim", self.spot),
        ]

    def numbers(self, form: str, width: int = 0) -> Line:
        """
        Return health, sanity and skill points.

        Args:
            form: `long` or `short`.
            width: the width of the pane, into which the long form must fit whole.
        """
        who = self.who
        said = (
            self.say(f"party.health.{form}", max(0, who.health_left), who.health),
            self.say(f"party.sanity.{form}", who.sanity_left, who.sanity),
            self.say(f"party.points.{form}", who.skill_points),
        )
        styles = ("class:damage", "class:horror", "class:clues")
        bits = [Bit(text, style, self.spot) for text, style in zip(said, styles, strict=True)]
        line = [bit for one in bits for bit in (Bit(" ", "", self.spot), one)][1:]
        # A number that is cut could be another one.
        if form == "long" and width_of_line(line) > width - len(_INDENT):
            return self.numbers("short")
        return line

    def states(self, room: int | None = None) -> Line:
        """
        Return the states of the investigator, and the trauma cards in capitals.

        Args:
            room: the number of cells, None for no limit. What does not fit is counted.
        """
        who, words, line = self.who, list[str](), list[Bit]()
        if who.stun:
            words.append(self.say("party.stun", who.stun))
        if who.fixed_test is not None:
            will_pass = who.fixed_test.is_passed
            words.append(self.say("party.will_pass" if will_pass else "party.will_fail"))
        if who.is_insane:
            words.append(self.say("party.insane"))
        if who.hidden_in is not None:
            words.append(self.say("party.hidden"))
        if who.face_down:
            words.append(self.say("party.face_down", len(who.face_down)))
        line = [Bit(word, "class:marker", self.spot) for word in words]
        for card in (who.injury, who.insanity):
            if card is not None:
                is_lit = self.scene.is_lit("card", card)
                name = self.scene.speaker.card(card).upper()
                text, style = (f"[{name}]", "class:map.lit") if is_lit else (name, "class:marker")
                line.append(Bit(text, style, Spot("card", card)))
        if room is not None and sum(width_of(bit.text) + 2 for bit in line) - 2 > room:
            line = [Bit(f"+{len(line)}", "class:marker", self.spot)]
        return _joined(line)

    def belongings(self) -> Line:
        """Return the names of items and spells."""
        who, speaker, names = self.who, self.scene.speaker, list[Bit]()
        held = [("possession", item.piece, item.card) for item in who.items]
        held += [("card", spell.handle, spell.card) for spell in who.spells]
        for kind, piece, card in held:
            is_lit = self.scene.is_lit(kind, piece)
            style = "class:map.lit" if is_lit else "class:dim"
            name = speaker.card(card)
            names.append(Bit(f"[{name}]" if is_lit else name, style, Spot(kind, piece)))
        return _joined(names)

    def attributes(self) -> Line:
        """Return all attributes in short words."""
        has = self.who.attributes
        words = [
            self.say(f"attribute.short.{one.value}", has[one]) for one in Attribute if one in has
        ]
        return _joined([Bit(word, "class:dim", self.spot) for word in words])


def _joined(line: Line) -> Line:
    return [bit for one in line for bit in (Bit(", ", "class:dim"), one)][1:]


def _indented(line: Line) -> Line:
    return [Bit(_INDENT), *line]


def _whole(member: _Member, width: int) -> list[Line]:
    """Return everything about an investigator, with cards on as many lines as needed."""
    lines = [member.title(width), _indented(member.numbers("long", width))]
    for line in (member.attributes(), member.states(), member.belongings()):
        if line:
            lines += folded(_indented(line), width, _INDENT)
    return lines


def _long(member: _Member, width: int) -> list[Line]:
    """Return states and cards in one line, which is clipped."""
    lines = [member.title(width), _indented(member.numbers("long", width))]
    states = member.states(width - len(_INDENT))
    rest = [*states, *([Bit("; ", "class:dim")] if states else []), *member.belongings()]
    return [*lines, _indented(rest)] if member.belongings() or states else lines


def _short(member: _Member, width: int) -> list[Line]:
    line = _indented([*member.numbers("short"), Bit(" ")])
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
    members = [_Member(scene, game, who, signs[name]) for name, who in game.investigators.items()]
    # All members in one form: a mixture would look like a difference between them.
    return tuple([line for member in members for line in form(member, width)] for form in _FORMS)
