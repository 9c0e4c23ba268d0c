"""Finds the commands that have an effect at the followed table. Help lists no other commands."""

from collections.abc import Mapping

from client.keymap.keys import Action
from client.model.possible import impossible
from client.plain.talk import Talk

_SAME: Mapping[str, Action] = {
    "say": Action.CHAT,
    "lot": Action.TIEBREAK,
    "standing": Action.PASSES,
    "proposal": Action.CONSENT,
    "agree": Action.CONSENT,
    "refuse": Action.CONSENT,
    "back": Action.PROPOSALS,
    "give": Action.PROPOSALS,
    "concede": Action.PROPOSALS,
    "correct": Action.PROPOSALS,
    "resume": Action.RESUME,
    "scenario": Action.SCENARIO,
    "products": Action.PRODUCTS,
    "campaign": Action.CAMPAIGN,
    "setup": Action.SETUP,
    "empty": Action.EMPTY_SEAT,
    "host": Action.HOST,
    "bot": Action.BOT,
    "start": Action.START,
    "remove": Action.REMOVE,
}
"""The action of the full screen that is the same as a command."""


def is_useful(talk: Talk, command: str) -> bool:
    """Return whether a command can have an effect here, now or later."""
    model = talk.model
    if command in {"invite", "give"} and model.is_solo and model.view is not None:
        return False
    if command == "reactions" and model.view is not None:
        return model.view.table.room.settings.stops
    return _SAME.get(command) not in impossible(model)
