"""
Keeper actions that nobody else knows before their first use. W-KACTION-1, W-DECIDE-43.

Their number is public. Whether the keeper could use one is not: while one is left, the keeper is
always asked.
"""

from collections.abc import Sequence

from content.games.first_edition.schema.cards import ActionCard
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.first_edition.events import ActionLaid, ActionShown
from protocol.games.first_edition.table import CardId, KeeperAction
from protocol.games.first_edition.words import KEEPER
from server.games.first_edition.rules.monsters import DRAWS
from server.games.first_edition.rules.play import Play
from server.kernel.asks import Option, Prompt


def pick_prompt(play: Play) -> tuple[Prompt[str], ...]:
    """Return the question which of the pool the keeper takes; none if all are. W-DECIDE-44."""
    story = play.content.story
    count = story.action_picks
    if not count or play.is_setup_fixed:
        return ()
    pool = [play.content.pack.actions[one] for one in story.hidden_actions]
    options = tuple(
        Option(one.id, Text("choice/take_action", (one.id, one.threat))) for one in pool
    )
    prompt = Text("ask/take_actions", (count,))
    return (Prompt(prompt, options, at_least=count, at_most=count),)


def deal(play: Play) -> tuple[CardId, ...]:
    """Have the lot pick from the pool in a fixed setup. K-DECIDE-5, W-DECIDE-44."""
    left = [*play.content.story.hidden_actions]
    for _ in range(len(left) - play.content.story.action_picks):
        dealt = DRAWS.deal(play, "action", tuple(left))
        assert dealt is not None, "a pool that is too small"
        left.remove(dealt)
    return tuple(left)


def lay(play: Play, picked: Sequence[CardId]) -> None:
    """Give the keeper the hidden actions, or those that were picked. W-SECRET-3, W-DECIDE-44."""
    pool = play.content.story.hidden_actions
    if not play.content.story.action_picks:
        picked = pool
    elif play.is_setup_fixed:
        picked = deal(play)
    for card in pool:
        if card in picked:
            play.emit(ActionLaid(KEEPER, hidden(line(play.content.pack.actions[card]))))


def line(card: ActionCard) -> KeeperAction:
    """Return a keeper action with its cost."""
    return KeeperAction(card.id, card.threat, tuple(card.tokens.items()), card.once)


def left(play: Play) -> list[KeeperAction]:
    """Return the hidden actions, which the keeper is offered like the open ones."""
    return [sealed.value for sealed in play.table.hidden_actions]


def show(play: Play, card: CardId) -> None:
    """Show a hidden action at its first use, for the rest of the game. W-SECRET-4."""
    for sealed in play.table.hidden_actions:
        if sealed.value.card == card:
            play.emit(ActionShown(play.disclose(sealed), sealed.value))
