"""The party: name, harm, conditions and cards of each investigator; the active one is marked."""

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest

import attrs

from client.boards.signs import Sign
from client.games.second_edition.panes.scene import SecondEditionScene
from client.games.second_edition.panes.signs import investigator_signs
from client.locale.speaker import is_away_from
from client.text.printable import clip, width_of
from client.widgets.bits import Bit, Line, width_of_line
from client.widgets.canvas import Spot
from protocol.common.table import Stage
from protocol.games.second_edition.table import Harm, Investigator, SecondEditionTable

_INDENT = "   "
_WIDE = 38
"""The minimum width at which the long form writes out "Clues", with room for two-digit numbers."""


@attrs.frozen
class _Member:
    """An investigator, drawn as an entry of the party in forms of different length."""

    scene: SecondEditionScene
    game: SecondEditionTable
    who: Investigator
    sign: Sign
    spot: Spot = attrs.field(
        default=attrs.Factory(
            lambda self: Spot("investigator", self.who.investigator_id), takes_self=True
        ),
        init=False,
    )
    """The mouse target."""

    def say(self, key: str, *params: str | int) -> str:
        return self.scene.speaker.say(key, *params)

    @property
    def is_lit(self) -> bool:
        return self.scene.is_lit("investigator", self.who.investigator_id)

    def title(self, width: int) -> Line:
        """Return sign, name and player; for the active investigator, also the actions left."""
        character = self.who.investigator_id
        is_over = self.scene.table.room.stage is Stage.OVER
        is_active = self.game.active == character and not is_over
        name = self.scene.speaker.name("investigator", character)
        if self.is_lit:
            name = f"[{name}]"
        style = "class:map.lit" if self.is_lit else "class:dim" if self.who.is_eliminated else ""
        right = self.say("party.actions", self.game.actions_left) if is_active else ""
        # Three columns are taken: the mark of the active investigator, the sign, and a blank.
        room = width - 3 - (width_of(right) + 1 if right else 0)
        shown = clip(name, room)
        table, speaker = self.scene.table, self.scene.speaker
        seat, player = table.room.seats.get(self.who.seat), speaker.seat(table, self.who.seat)
        forms, player_style = [player], "class:dim"
        if seat is not None and is_away_from(seat):
            away = self.say("waiting_room.away")
            # That somebody is away matters more than who it is.
            forms, player_style = [f"{player}, {away}", away], "class:away"
        left = room - width_of(shown)
        player = next((f" ({form})" for form in forms if width_of(form) + 3 <= left), "")
        gap = " " * (width - 3 - width_of(shown) - width_of(player) - width_of(right))
        return [
            Bit(">" if is_active else " ", "class:turn", self.spot),
            Bit(self.sign.char, self.sign.style, self.spot),
            Bit(" ", "", self.spot),
            Bit(shown, style, self.spot),
            Bit(player, player_style, self.spot),
            Bit(gap, "", self.spot),
            Bit(right, "class:turn", self.spot),
        ]

    def numbers(self, form: str, width: int = 0) -> Line:
        """
        Return health, sanity and clues.

        Args:
            form: `long` or `short`.
            width: the width of the pane, into which the long form must fit whole.
        """
        who = self.who
        if who.is_eliminated:
            return [Bit(self.say("party.eliminated"), "class:dim", self.spot)]
        damage = self.game.harm_count(who.investigator_id, Harm.DAMAGE)
        horror = self.game.harm_count(who.investigator_id, Harm.HORROR)

        def line(form: str, clues: str) -> Line:
            said = (
                self.say(f"party.damage.{form}", damage, who.health),
                self.say(f"party.horror.{form}", horror, who.sanity),
                self.say(f"party.clues.{clues}", who.clues),
            )
            styles = ("class:damage", "class:horror", "class:clues")
            bits = [Bit(text, style, self.spot) for text, style in zip(said, styles, strict=True)]
            return [bit for one in bits for bit in (Bit(" ", "", self.spot), one)][1:]

        if form == "short":
            return line("short", "short")
        whole = line("long", "medium" if width < _WIDE else "long")
        # A number that is cut could be another one.
        fits = width_of_line(whole) <= width - len(_INDENT)
        return whole if fits else line("short", "short")

    def markers(self, form: str, room: int | None = None) -> Line:
        """
        Return the investigator's Conditions in capitals, then the Fires they can put out.

        Args:
            form: `long` or `short`, for the words about Fires.
            room: the number of cells, None for no limit. Conditions that do not fit are replaced by
                their number.
        """
        line: Line = []
        if self.who.quenches:
            text = self.say(f"party.quenches.{form}", self.who.quenches)
            line.append(Bit(text, "class:marker", self.spot))
        found: dict[str, Bit] = {}
        for one in self.who.conditions:
            name = self.scene.speaker.name("card", one.face).upper()
            is_lit = any(self.scene.is_lit("card", card) for card in (one.handle, one.card))
            text, style = (f"[{name}]", "class:map.lit") if is_lit else (name, "class:marker")
            if is_lit or name not in found:
                found[name] = Bit(text, style, Spot("card", one.handle or one.card))
        conditions = list(found.values())
        if room is not None:
            conditions = _counted(conditions, room - sum(width_of(bit.text) + 2 for bit in line))
        line = [*conditions, *line]
        return [bit for one in line for bit in (Bit(", ", "class:dim"), one)][1:]

    def joined(self, markers: Line) -> Line:
        """Return one line of markers, possessions and faceup harm, with separators between them."""
        return self._separated(markers, self.belongings(), self.wounds())

    def carried(self, markers: Line) -> Line:
        """Return one line of markers and possessions, with a separator between them."""
        return self._separated(markers, self.belongings())

    def _separated(self, *groups: Line) -> Line:
        joined: Line = []
        for group in groups:
            if joined and group:
                joined.append(Bit(self.say("say.and_then"), "class:dim"))
            joined += group
        return joined

    def wounds(self) -> Line:
        """Return the names of faceup Damage and Horror cards, after a word for faceup harm."""
        cards = [
            ("card", card.handle, card.card)
            for harm in Harm
            for card in self.who.faceup_cards(harm)
        ]
        return (
            [Bit(f"{self.say('party.faceup')} ", "class:dim"), *self._names(cards)] if cards else []
        )

    def belongings(self) -> Line:
        """Return the names of the investigator's possessions."""
        return self._names([("possession", p.possession_id, p.face) for p in self.who.possessions])

    def _names(self, cards: Iterable[tuple[str, str, str]]) -> Line:
        """Return names of cards, each in brackets if a choice points at it."""
        names: Line = []
        for kind, character, card in cards:
            name = self.scene.speaker.name("card", card)
            if names:
                names.append(Bit(", ", "class:dim"))
            is_lit = self.scene.is_lit(kind, character)
            style = "class:map.lit" if is_lit else "class:dim"
            names.append(Bit(f"[{name}]" if is_lit else name, style, Spot(kind, character)))
        return names


def _counted(bits: Line, room: int) -> Line:
    """Return the parts that fit, and the number of the other parts."""
    # Names are never cut: half a Condition could be another one.
    for shown in range(len(bits), 0, -1):
        rest = [Bit(f"+{len(bits) - shown}", bits[-1].style)] if shown < len(bits) else []
        line = [*bits[:shown], *rest]
        if sum(width_of(bit.text) + 2 for bit in line) - 2 <= room:
            return line
    return [Bit(f"+{len(bits)}", bits[0].style, bits[0].spot)] if bits else []


Form = Callable[[_Member, int], list[Line]]


def _whole(member: _Member, width: int) -> list[Line]:
    """
    Return everything about an investigator, with cards on as many lines as needed.

    Faceup harm begins a line of its own if that takes no more lines.
    """
    markers = member.markers("long")
    together = _card_lines(width, member.joined(markers))
    apart = _card_lines(width, member.carried(markers), member.wounds())
    cards = apart if len(apart) <= len(together) else together
    return [member.title(width), [Bit(_INDENT), *member.numbers("long", width)], *cards]


def _card_lines(width: int, *groups: Line) -> list[Line]:
    """Return groups of cards, each on as many lines as needed."""
    return [line for group in groups if group for line in _folded([Bit(_INDENT), *group], width)]


def _is_between(bit: Bit) -> bool:
    return not bit.text.strip(",;\N{NO-BREAK SPACE} ")


def _folded(line: Line, width: int) -> Iterator[Line]:
    """Wrap a line between its parts; a separator stays with the part before it."""
    shown: Line = []
    used = 0
    for bit, after in zip_longest(line, line[1:], fillvalue=Bit(",")):
        # The separator after a bit stays on its line.
        parts = width_of(after.text.rstrip()) if _is_between(after) else 1
        if used + width_of(bit.text) + parts > width and not _is_between(bit):
            yield shown
            shown, used = [Bit(_INDENT)], len(_INDENT)
        shown.append(bit)
        used += width_of(bit.text)
    yield shown


def _long(member: _Member, width: int) -> list[Line]:
    """
    Return all lines of an investigator.

    Cards are clipped to one line. Conditions without room are counted.
    """
    lines = [member.title(width), [Bit(_INDENT), *member.numbers("long", width)]]
    rest = member.joined(member.markers("long", width - len(_INDENT)))
    return [*lines, [Bit(_INDENT), *rest]] if rest else lines


def _short(member: _Member, width: int) -> list[Line]:
    line = [Bit(_INDENT), *member.numbers("short"), Bit(" ")]
    return [member.title(width), [*line, *member.markers("short", width - width_of_line(line))]]


def _line(member: _Member, width: int) -> list[Line]:
    numbers = member.numbers("short")
    # Room 0: the Conditions are only counted.
    marks = member.markers("short", 0)
    used = width_of_line(numbers) + sum(width_of(bit.text) + 1 for bit in marks) + 1
    return [[*member.title(max(12, width - used)), Bit(" "), *numbers, Bit(" "), *marks]]


def party_lines(scene: SecondEditionScene, width: int, rows: int) -> list[Line]:
    """Return the party with as many details as fit into the rows; empty before the game.

    Even the form with the fewest details may have more lines than `rows`.
    """
    game = scene.game
    if game is None:
        return []
    signs = investigator_signs(game, scene.speaker)
    members = [_Member(scene, game, who, signs[name]) for name, who in game.investigators.items()]
    # All members in one form: a mixture would look like a difference between them.
    lines: list[Line] = []
    forms: tuple[Form, ...] = (_whole, _long, _short, _line)
    for form in forms:
        lines = [line for member in members for line in form(member, width)]
        if len(lines) <= rows:
            break
    return lines
