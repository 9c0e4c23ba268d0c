"""
The column beside the map: sections one below the other, with as many details as fit.

The party is always shown. The objective, the monsters, the viewer's cards and harm follow if they
fit.
"""

from collections.abc import Callable, Sequence

import attrs

from client.boards.signs import Sign
from client.games.second_edition.panes.party import party_lines
from client.games.second_edition.panes.scene import SecondEditionScene
from client.games.second_edition.panes.signs import monster_signs
from client.text.printable import clip, width_of
from client.widgets.bits import Bit, Line, draw_bits, width_of_line, wrapped
from client.widgets.canvas import Pane, Spot
from client.widgets.pages import draw_rule
from protocol.games.second_edition.table import Harm, Investigator, Monster, SecondEditionTable

_INDENT = 3


@attrs.frozen
class _Section:
    """A section with a title in the column beside the map."""

    title: str
    """The catalog key of the title."""
    forms: tuple[Callable[[SecondEditionScene, SecondEditionTable, int], list[Line]], ...]
    """
    Functions that write the section at a given width; the function with the most words comes first.
    """
    can_be_cut: bool = False
    """Whether lines at the end of the section may be cut off."""


def draw_side(pane: Pane, scene: SecondEditionScene, least_below: int, good_below: int) -> int:
    """
    Draw the party at the top, and below it the sections that fit.

    Args:
        pane: the column.
        scene: the table.
        least_below: the number of rows that the party leaves free at the bottom.
        good_below: the number of rows that every other section leaves free at the bottom.

    Returns:
        The number of rows used.
    """
    draw_rule(pane, 0, scene.speaker.say("pane.party"), scene.charset)
    room = pane.rows - 1 - least_below
    party = party_lines(scene, pane.columns, room)[: max(0, room)]
    pane.spot("party")
    draw_bits(pane.inner(1, 0, len(party)), party)
    used = 1 + len(party)
    if scene.game is not None:
        for section in _SECTIONS:
            used += _draw_section(
                pane.inner(used, 0, pane.rows - used - good_below), scene, section
            )
    return used


def _draw_section(pane: Pane, scene: SecondEditionScene, section: _Section) -> int:
    """Draw a section, unless it is empty or does not fit; return the number of rows used."""
    game = scene.game
    assert game is not None
    lines: list[Line] = []
    for form in section.forms:
        lines = form(scene, game, pane.columns)
        if len(lines) < pane.rows:
            break
    else:
        # Even the form with the fewest words does not fit.
        if not section.can_be_cut or pane.rows <= _INDENT:
            return 0
    if not lines:
        return 0
    rows = min(pane.rows, 1 + len(lines))
    draw_rule(pane, 0, scene.speaker.say(section.title), scene.charset)
    draw_bits(pane.inner(1, 0, rows - 1), lines)
    return rows


# The objective -----------------------------------------------------------------------------


def _objective(scene: SecondEditionScene, game: SecondEditionTable, width: int) -> list[Line]:
    """Return the chapter, the objective and the running timers."""
    speaker = scene.speaker
    lines: list[Line] = []
    if game.chapter is not None:
        lines += wrapped(speaker.text(game.chapter), width, "class:card")
    if game.objective is not None:
        lines += wrapped(speaker.text(game.objective), width)
    for timer in game.timers.values():
        lines += wrapped(speaker.timer(timer), width, "class:marker")
    return lines


# Monsters ----------------------------------------------------------------------------------


def _monsters(scene: SecondEditionScene, game: SecondEditionTable, width: int) -> list[Line]:
    """Return each monster with its place, its damage and its values."""
    signs, speaker = monster_signs(game, scene.speaker), scene.speaker
    lines: list[Line] = []
    for piece, monster in game.monsters.items():
        lines.append(_monster_line(scene, game, monster, signs[piece], width))
        numbers = (monster.awareness, monster.horror_rating, monster.brawn)
        texts = [speaker.say("drawer.values", *numbers)]
        texts += [speaker.name("ability", ability) for ability in monster.abilities]
        said = speaker.say("say.and_then").join(texts)
        spot = Spot("monster", piece)
        lines += _pointing(wrapped(said, width, "class:dim", indent=_INDENT), spot)
    return lines


def _pointing(lines: list[Line], spot: Spot) -> list[Line]:
    return [[attrs.evolve(bit, spot=spot) for bit in line] for line in lines]


def _monster_line(
    scene: SecondEditionScene, game: SecondEditionTable, monster: Monster, sign: Sign, width: int
) -> Line:
    """Return a monster's sign, name and place, and its damage at the end of the line."""
    speaker, spot = scene.speaker, Spot("monster", monster.monster_id)
    is_lit = scene.is_lit("monster", monster.monster_id)
    # The damage is at the right end, and name and place share what is left.
    name = speaker.monster(monster)
    damage = speaker.say("party.damage.long", monster.damage, monster.health)
    gap = " " * max(1, _INDENT - len(sign.char))
    room = width - len(sign.char + gap) - width_of(damage) - 1
    shown = clip(f"[{name}]" if is_lit else name, room)
    place = clip(f", {speaker.space(game, monster.space)}", room - width_of(shown))
    line = [
        Bit(sign.char, sign.style, spot),
        Bit(gap, "", spot),
        Bit(shown, "class:map.lit" if is_lit else "", spot),
        Bit(place, "class:dim", spot),
    ]
    fill = " " * (width - width_of_line(line) - width_of(damage))
    return [*line, Bit(fill, "", spot), Bit(damage, "class:damage", spot)]


def _monsters_in_short(
    scene: SecondEditionScene, game: SecondEditionTable, width: int
) -> list[Line]:
    signs = monster_signs(game, scene.speaker)
    return [
        _monster_line(scene, game, monster, signs[piece], width)
        for piece, monster in game.monsters.items()
    ]


# What the viewer holds ---------------------------------------------------------------------


_Cards = Sequence[tuple[Spot, str]]
"""Cards, each with its mouse target."""


def _cards(scene: SecondEditionScene, game: SecondEditionTable, width: int) -> list[Line]:
    """Return the viewer's own possessions and Conditions with their texts."""
    return _with_texts(scene, game, width, _held)


def _harm(scene: SecondEditionScene, game: SecondEditionTable, width: int) -> list[Line]:
    """Return the viewer's own faceup Damage and Horror, which is no possession, with its texts."""
    return _with_texts(scene, game, width, _faceup)


def _with_texts(
    scene: SecondEditionScene,
    game: SecondEditionTable,
    width: int,
    cards: Callable[[Investigator], _Cards],
) -> list[Line]:
    """Return some cards of the viewer's own investigators with their texts."""
    mine = [who for who in game.investigators.values() if who.seat == scene.seat and cards(who)]
    lines: list[Line] = []
    for who in mine:
        if len(mine) > 1:
            name = scene.speaker.name("investigator", who.investigator_id)
            lines.append([Bit(name, "", Spot("investigator", who.investigator_id))])
        for spot, card in cards(who):
            is_lit = scene.is_lit(spot.kind, spot.value)
            name = scene.speaker.name("card", card)
            shown = clip(f"[{name}]" if is_lit else name, width)
            lines.append([Bit(shown, "class:map.lit" if is_lit else "class:card", spot)])
            for text in scene.speaker.details("card", card):
                lines += _pointing(wrapped(text, width, "class:dim", indent=_INDENT), spot)
    return lines


def _held(who: Investigator) -> _Cards:
    """Return an investigator's possessions and Conditions."""
    cards = [(Spot("possession", held.possession_id), held.face) for held in who.possessions]
    return [*cards, *((Spot("card", one.handle or one.card), one.face) for one in who.conditions)]


def _faceup(who: Investigator) -> _Cards:
    """Return an investigator's faceup Damage and Horror."""
    cards = (card for harm in Harm for card in who.faceup_cards(harm))
    return [(Spot("card", card.handle), card.card) for card in cards]


_SECTIONS = (
    _Section("box.objective", (_objective,)),
    _Section("box.monsters", (_monsters, _monsters_in_short), can_be_cut=True),
    _Section("pane.cards", (_cards,), can_be_cut=True),
    _Section("pane.harm", (_harm,), can_be_cut=True),
)
