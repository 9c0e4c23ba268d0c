"""The party: who they are, what they suffer and carry, and whose turn it is."""

from collections.abc import Callable, Iterator

import attrs

from client.locale.speaker import is_away_from
from client.widgets.bits import Bit, Line
from client.widgets.canvas import Spot
from client.widgets.printable import clip, width_of
from client.widgets.scene import Scene
from client.widgets.signs import investigator_signs
from protocol.second_edition.table import Harm, Investigator, SecondEditionTable

_INDENT = "   "


@attrs.frozen
class _Member:
    """One investigator as the widget sees them."""

    scene: Scene
    game: SecondEditionTable
    who: Investigator

    def say(self, key: str, *params: str | int) -> str:
        """Return the client's own words."""
        return self.scene.speaker.say(key, *params)

    @property
    def spot(self) -> Spot:
        """What they are to the mouse."""
        return Spot("investigator", self.who.investigator_id)

    @property
    def is_lit(self) -> bool:
        """Whether a choice points at them."""
        return self.scene.is_lit("investigator", self.who.investigator_id)

    def title(self, width: int) -> Line:
        """Return sign, name and player, with whose turn it is."""
        piece = self.who.investigator_id
        sign = investigator_signs(self.game, self.scene.speaker)[piece]
        is_active = self.game.active == piece
        name = self.scene.speaker.name("investigator", piece)
        if self.is_lit:
            name = f"[{name}]"
        style = "class:map.lit" if self.is_lit else "class:dim" if self.who.is_eliminated else ""
        right = self.say("party.actions", self.game.actions_left) if is_active else ""
        room = width - 3 - (width_of(right) + 1 if right else 0)
        shown = clip(name, room)
        player, away = self._player()
        player = clip(player, room - width_of(shown)) if width_of(shown) < room - 4 else ""
        gap = " " * (width - 3 - width_of(shown) - width_of(player) - width_of(right))
        return [
            Bit(">" if is_active else " ", "class:turn", self.spot),
            Bit(sign.char, sign.style, self.spot),
            Bit(" ", "", self.spot),
            Bit(shown, style, self.spot),
            Bit(player, away, self.spot),
            Bit(gap, "", self.spot),
            Bit(right, "class:turn", self.spot),
        ]

    def _player(self) -> tuple[str, str]:
        """Return whose they are, and in which style."""
        table = self.scene.table
        seat, player = (
            table.room.seats.get(self.who.seat),
            self.scene.speaker.seat(table, self.who.seat),
        )
        if seat is not None and is_away_from(seat):
            return f" ({player}, {self.say('waiting_room.away')})", "class:away"
        return f" ({player})", "class:dim"

    def numbers(self, form: str) -> Line:
        """Return health, sanity and clues; `form` is `long` or `short`."""
        who = self.who
        if who.is_eliminated:
            return [Bit(self.say("party.eliminated"), "class:dim", self.spot)]
        damage = self.game.harm_count(who.investigator_id, Harm.DAMAGE)
        horror = self.game.harm_count(who.investigator_id, Harm.HORROR)
        return [
            Bit(self.say(f"party.damage.{form}", damage, who.health), "class:damage", self.spot),
            Bit(" ", "", self.spot),
            Bit(self.say(f"party.horror.{form}", horror, who.sanity), "class:horror", self.spot),
            Bit(" ", "", self.spot),
            Bit(self.say(f"party.clues.{form}", who.clues), "class:clues", self.spot),
        ]

    def markers(self, form: str) -> Line:
        """Return what they have become."""
        marks = [
            self.say(f"party.{key}.{form}")
            for key, has in (("wounded", self.who.is_wounded), ("insane", self.who.is_insane))
            if has
        ]
        if self.who.quenches:
            marks.append(self.say(f"party.quenches.{form}", self.who.quenches))
        return [Bit(" ".join(marks), "class:marker", self.spot)] if marks else []

    def belongings(self) -> Line:
        """Return the names of their cards; those that are pointed at in brackets."""
        cards = [("possession", p.possession_id, p.face) for p in self.who.possessions]
        cards += [
            ("card", card.handle, card.card)
            for harm in Harm
            for card in self.who.faceup_cards(harm)
        ]
        names: Line = []
        for kind, piece, card in cards:
            name = self.scene.speaker.name("card", card)
            if names:
                names.append(Bit(", ", "class:dim"))
            is_lit = self.scene.is_lit(kind, piece)
            style = "class:map.lit" if is_lit else "class:dim"
            names.append(Bit(f"[{name}]" if is_lit else name, style, Spot(kind, piece)))
        return names


Form = Callable[[_Member, int], list[Line]]


def _whole(member: _Member, width: int) -> list[Line]:
    """Everything, cards over as many lines as they need."""
    lines = _long(member, width)
    return [*lines[:2], *(line for rest in lines[2:] for line in _folded(rest, width))]


def _folded(line: Line, width: int) -> Iterator[Line]:
    """Break a line of pieces between them, each with room for a comma; indent all alike."""
    shown: Line = []
    used = 0
    for bit in line:
        if used + width_of(bit.text.rstrip(", ")) + 1 > width and bit.text.strip(", "):
            yield shown
            shown, used = [Bit(_INDENT)], len(_INDENT)
        shown.append(bit)
        used += width_of(bit.text)
    yield shown


def _long(member: _Member, width: int) -> list[Line]:
    lines = [member.title(width), [Bit(_INDENT), *member.numbers("long")]]
    rest = [*member.markers("long")]
    goods = member.belongings()
    if rest and goods:
        rest.append(Bit("; "))
    return [*lines, [Bit(_INDENT), *rest, *goods]] if rest or goods else lines


def _short(member: _Member, width: int) -> list[Line]:
    numbers = [*member.numbers("short"), Bit(" "), *member.markers("short")]
    return [member.title(width), [Bit(_INDENT), *numbers]]


def _line(member: _Member, width: int) -> list[Line]:
    title = member.title(max(12, width - 16))
    return [[*title, Bit(" "), *member.numbers("short"), Bit(" "), *member.markers("short")]]


def party_lines(scene: Scene, width: int, rows: int) -> list[Line]:
    """Return the party in as much detail as so many rows allow."""
    game = scene.game
    if game is None:
        return []
    members = [_Member(scene, game, who) for who in game.investigators.values()]
    lines: list[Line] = []
    forms: tuple[Form, ...] = (_whole, _long, _short, _line)
    for form in forms:
        lines = [line for member in members for line in form(member, width)]
        if len(lines) <= rows:
            break
    return lines
