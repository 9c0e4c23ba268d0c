"""The party: who they are, what they suffer and carry, and whose turn it is."""

from collections.abc import Callable

import attrs

from client.locale.speaker import is_away_from
from client.widgets.canvas import Pane, Styled
from client.widgets.printable import clip, width_of
from client.widgets.scene import Scene
from client.widgets.signs import investigator_signs
from protocol.second_edition.table import Harm, Investigator, SecondEditionTable


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
    def is_lit(self) -> bool:
        """Whether a choice points at them."""
        return self.scene.is_lit("investigator", self.who.investigator_id)

    def title(self, width: int) -> Styled:
        """Return sign, name and player, with whose turn it is."""
        piece = self.who.investigator_id
        sign = investigator_signs(self.game, self.scene.speaker)[piece]
        is_active = self.game.active == piece
        mark = ">" if is_active else " "
        name = self.scene.speaker.name("investigator", piece)
        if self.is_lit:
            name = f"[{name}]"
        style = "class:map.lit" if self.is_lit else "class:dim" if self.who.is_eliminated else ""
        head: Styled = [("class:turn", mark), (sign.style, sign.char), ("", " ")]
        right = self.say("party.actions", self.game.actions_left) if is_active else ""
        room = width - 3 - (width_of(right) + 1 if right else 0)
        seat = self.scene.table.room.seats.get(self.who.seat)
        is_away = seat is not None and is_away_from(seat)
        player = self.scene.speaker.seat(self.scene.table, self.who.seat)
        player = f" ({player}, {self.say('waiting_room.away')})" if is_away else f" ({player})"
        shown = clip(name, room)
        player = clip(player, room - width_of(shown)) if width_of(shown) < room - 4 else ""
        away = "class:away" if is_away else "class:dim"
        gap = " " * (width - 3 - width_of(shown) - width_of(player) - width_of(right))
        return [*head, (style, shown), (away, player), ("", gap), ("class:turn", right)]

    def numbers(self, form: str) -> Styled:
        """Return health, sanity and clues; `form` is `long` or `short`."""
        who = self.who
        if who.is_eliminated:
            return [("class:dim", self.say("party.eliminated"))]
        damage = self.game.harm_count(who.investigator_id, Harm.DAMAGE)
        horror = self.game.harm_count(who.investigator_id, Harm.HORROR)
        return [
            ("class:damage", self.say(f"party.damage.{form}", damage, who.health)),
            ("", " "),
            ("class:horror", self.say(f"party.horror.{form}", horror, who.sanity)),
            ("", " "),
            ("class:clues", self.say(f"party.clues.{form}", who.clues)),
        ]

    def markers(self, form: str) -> Styled:
        """Return what they have become."""
        marks = [
            self.say(f"party.{key}.{form}")
            for key, has in (("wounded", self.who.is_wounded), ("insane", self.who.is_insane))
            if has
        ]
        if self.who.quenches:
            marks.append(self.say(f"party.quenches.{form}", self.who.quenches))
        return [("class:marker", " ".join(marks))] if marks else []

    def belongings(self) -> Styled:
        """Return the names of their cards; those that are pointed at in brackets."""
        cards = [("possession", p.possession_id, p.face) for p in self.who.possessions]
        cards += [
            ("card", card.handle, card.card)
            for harm in Harm
            for card in self.who.faceup_cards(harm)
        ]
        names: Styled = []
        for kind, piece, card in cards:
            name = self.scene.speaker.name("card", card)
            if names:
                names.append(("class:dim", ", "))
            is_lit = self.scene.is_lit(kind, piece)
            names.append(("class:map.lit", f"[{name}]") if is_lit else ("class:dim", name))
        return names


Form = Callable[[_Member, int], list[Styled]]


def _whole(member: _Member, width: int) -> list[Styled]:
    """Everything, cards over as many lines as they need."""
    lines = _long(member, width)
    return [*lines[:2], *(line for rest in lines[2:] for line in _folded(rest, width))]


def _folded(line: Styled, width: int) -> list[Styled]:
    """Break a line of pieces between them, each with room for a comma; indent all alike."""
    lines: list[Styled] = [[]]
    used = 0
    for style, text in line:
        if used + width_of(text.rstrip(", ")) + 1 > width and text.strip(", "):
            lines.append([("", "   ")])
            used = 3
        lines[-1].append((style, text))
        used += width_of(text)
    return lines


def _long(member: _Member, width: int) -> list[Styled]:
    lines = [member.title(width), [("", "   "), *member.numbers("long")]]
    rest = [*member.markers("long")]
    goods = member.belongings()
    if rest and goods:
        rest.append(("", "; "))
    return [*lines, [("", "   "), *rest, *goods]] if rest or goods else lines


def _short(member: _Member, width: int) -> list[Styled]:
    marks = member.markers("short")
    return [
        member.title(width),
        [("", "   "), *member.numbers("short"), ("", " "), *marks],
    ]


def _line(member: _Member, width: int) -> list[Styled]:
    title = member.title(max(12, width - 16))
    return [[*title, ("", " "), *member.numbers("short"), ("", " "), *member.markers("short")]]


def party_lines(scene: Scene, width: int, rows: int) -> list[Styled]:
    """Return the party in as much detail as so many rows allow."""
    game = scene.game
    if game is None:
        return []
    members = [_Member(scene, game, who) for who in game.investigators.values()]
    lines: list[Styled] = []
    forms: tuple[Form, ...] = (_whole, _long, _short, _line)
    for form in forms:
        lines = [line for member in members for line in form(member, width)]
        if len(lines) <= rows:
            break
    return lines


def draw_lines(pane: Pane, lines: list[Styled]) -> None:
    """Draw styled lines from the top; a long one is cut, and so marked."""
    for row, line in enumerate(lines[: pane.rows]):
        pane.write_line(row, line)
