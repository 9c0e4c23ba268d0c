"""Begins the next game of the same group, of the same scenario or another."""

import functools

from client.screens.base.boxes import Item, Menu
from client.screens.base.screen import Desk
from client.teaching.again import next_part, others, play_again


def begin_another(desk: Desk, scenario: str) -> None:
    """Go to the group's next table, or after the tutorial to a real game.

    If the next scenario can still be chosen, open a menu of scenarios; the next part of a campaign
    is first in it.
    """
    model = desk.model
    if not others(model):
        play_again(model, desk.port, desk.quit)
        return
    items = [Item(desk.say("again.same", model.title(scenario)), desk.port.play_again)]
    following = next_part(model)
    for line in others(model):
        play = functools.partial(desk.port.play_again, line.scenario)
        is_next = line is following
        key = "again.next_part" if is_next else "again.other"
        item = Item(desk.say(key, model.title(line.scenario)), play)
        items.insert(0 if is_next else len(items), item)
    desk.open(Menu(desk, "box.again", items))
