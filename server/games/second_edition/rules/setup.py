"""
Setup: from an empty table to the first turn.

Rules SETUP-1 to SETUP-4, SETUP-8 to SETUP-11, SETUP-14 to SETUP-18, SECRET-14, INSANE-6, DECIDE-16,
DECIDE-19, DECIDE-60. Its random draws are independent of those of the game.
"""

from content.games.second_edition.schema.effects import Effect, PlaceTile
from protocol.common.chance import Stream
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    BacksLaidOut,
    InvestigatorJoined,
    SupplyLaidOut,
    Told,
)
from protocol.games.second_edition.table import (
    INSANE_DECK,
    Harm,
    Skill,
    deck,
)
from server.games.second_edition.rules import effects, movement, possessions, rounds, sharing
from server.games.second_edition.rules.play import Play, Source, because


async def set_up(play: Play) -> None:
    """
    Set the game up, in the order of the rulebook, and begin round 1.

    Rules SETUP-17 and SETUP-18.
    """
    lay_out_decks(play)
    join(play)
    await sharing.divide_possessions(play)
    await lay_out_scenario(play)
    await rounds.begin_round(play, 1)


def lay_out_decks(play: Play) -> None:
    """
    Shuffle the facedown decks and lay out the faceup ones. Rules SETUP-3 and SETUP-4.

    The Insane deck holds only the copies that this number of players can have. Each copy is then as
    likely as if unsuitable copies were put back and drawn again (INSANE-6, DECIDE-60, DECIDE-62),
    and the deck never changes (DECIDE-59). A single player with two investigators counts as one
    player (DECIDE-4). The backs of two-sided Items become public (TWOSIDED-2).
    """
    pack = play.content.pack
    # All from the stream of the setup: a fixed setup fixes every deck.
    for harm in Harm:
        cards = [card for card in pack.harms.values() if card.harm is harm]
        play.shuffle(
            deck(harm), [c.id for c in cards for _ in range(c.copies)], stream=Stream.SETUP
        )
    backs = [back for back in pack.insane.values() if back.minimum_players <= len(play.players)]
    play.shuffle(INSANE_DECK, [b.id for b in backs for _ in range(b.copies)], stream=Stream.SETUP)
    possessions.lay_out_copies(play)
    play.emit(SupplyLaidOut(possessions.full_supply(play)))
    if open_backs := possessions.open_backs(play):
        play.emit(BacksLaidOut(open_backs))


def join(play: Play) -> None:
    """Add the chosen investigators to the game, by seat. Rules SETUP-8 to SETUP-11."""
    for player in play.players:
        for investigator in player.characters:
            card = play.content.pack.investigators[investigator]
            skills = {skill: int(getattr(card, skill.value)) for skill in Skill}
            play.emit(
                InvestigatorJoined(investigator, player.seat, card.health, card.sanity, skills)
            )


async def lay_out_scenario(play: Play) -> None:
    """
    Show the prologue, then lay out tiles, figures and all other pieces, in this order.

    Rules SETUP-14 to SETUP-16 and DECIDE-19.
    """
    scenario = play.content.scenario
    play.emit(Told(Text(scenario.prologue)))
    source = Source(play.table.standing()[0])
    # Tiles come first, since everything else is placed into their spaces.
    tiles: Effect = tuple(step for step in scenario.setup if isinstance(step, PlaceTile))
    with because(play, Text("within/setup")):
        await effects.resolve(play, tiles, source)
    for who in play.table.standing():
        await movement.place(play, who, scenario.start)
    others: Effect = tuple(step for step in scenario.setup if not isinstance(step, PlaceTile))
    with because(play, Text("within/setup")):
        await effects.resolve(play, others, source)
