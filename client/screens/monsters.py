"""The monster drawer: every monster, and the menu of each. Rules MONSTER-13 and APP-7."""

from collections.abc import Callable, Iterator

from client.plain_choice import listed
from client.screens.boxes import Item, Menu, Paragraph, TextBox
from client.screens.readings import monster_lines
from client.screens.screen import Desk
from client.widgets.scene import Scene
from protocol.second_edition.table import Monster


def drawer(desk: Desk, scene: Callable[[], Scene]) -> Menu:
    """Return the list of all monsters; choosing one opens its menu, choosing again closes it."""
    game = scene().game
    monsters = game.monsters.values() if game is not None else ()
    items = [
        Item(
            desk.speaker.monster(monster),
            lambda monster=monster: desk.open(_menu(desk, scene, monster)),  # type: ignore[misc]
        )
        for monster in monsters
    ]
    return Menu(desk, "box.monsters", items)


def _menu(desk: Desk, scene: Callable[[], Scene], monster: Monster) -> TextBox:
    return TextBox(desk, "box.monsters", lambda: monster_menu(scene(), monster.monster_id))


def monster_menu(scene: Scene, monster_id: str) -> list[Paragraph]:
    """
    Return all there is to know of one monster. Rule APP-7.

    Its name with the number of its ID token, place, health, damage and values; the text that is in
    force; and what the viewer is asked that concerns it, such as attacking it.
    """
    game = scene.game
    monster = game.monsters.get(monster_id) if game is not None else None
    if game is None or monster is None:
        return [("", scene.speaker.say("box.nothing"))]
    found = list(monster_lines(scene, game, monster))
    if monster.in_force is not None:
        found += [("", ""), ("class:title", scene.speaker.say("box.in_force"))]
        found += [("", f"  {scene.speaker.text(monster.in_force)}")]
    choices = [("", f"  {number} {text}") for number, text in _choices(scene, monster_id)]
    if choices:
        found += [("", ""), ("class:title", scene.speaker.say("box.you_can")), *choices]
    return found


def _choices(scene: Scene, monster_id: str) -> Iterator[tuple[int, str]]:
    """Yield what the viewer is asked that concerns a monster, by the numbers it is listed under."""
    ask = scene.table.room.ask
    sealed = None if ask is None or scene.seat is None else ask.questions.get(scene.seat)
    if sealed is not None and sealed.is_open:
        for number, choice in enumerate(listed(sealed.value), 1):
            if any(p.kind == "monster" and p.piece == monster_id for p in choice.points):
                yield number, scene.speaker.text(choice.text)
