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
    """
    Return the question which of the pool the keeper takes; none if all are. W-DECIDE-44.

    Those that are taken when time is up are drawn out of sight.
    """
    story = play.content.story
    count = story.action_picks
    if not count or play.is_setup_fixed:
        return ()
    pool = [play.content.pack.actions[one] for one in story.hidden_actions]
    options = tuple(
        Option(one.id, Text("choice/take_action", (one.id, one.threat))) for one in pool
    )
    prompt = Text("ask/take_actions", (count,))
    default = tuple(map(story.hidden_actions.index, _drawn(play, "default", story.hidden_actions)))
    return (Prompt(prompt, options, at_least=count, at_most=count, default=default[:count]),)


def _drawn(play: Play, purpose: str, cards: Sequence[CardId]) -> list[CardId]:
    """Return cards in an order that is drawn out of sight, with a draw for each."""
    left, drawn = [*cards], list[CardId]()
    while left:
        dealt = DRAWS.deal(play, purpose, tuple(left))
        assert dealt is not None
        left.remove(dealt)
        drawn.append(dealt)
    return drawn


def lay(play: Play, picked: Sequence[CardId]) -> None:
    """
    Give the keeper the hidden actions, or those that were picked; in a fixed setup by lot.

    Those that were picked are laid in an order that is drawn out of sight: in that of the pool the
    place of one that is used would tell which others were not taken. W-SECRET-3, W-DECIDE-44,
    K-DECIDE-5.
    """
    pool, count = play.content.story.hidden_actions, play.content.story.action_picks
    if count and play.is_setup_fixed:
        picked = _drawn(play, "action", pool)[:count]
    elif count:
        picked = _drawn(play, "action", picked)
    for card in picked if count else pool:
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
