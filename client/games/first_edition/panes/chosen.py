"""The text of the card that the choice under the cursor names, beside the question."""

from client.games.first_edition.panes.scene import FirstEditionScene
from client.widgets.answering import Answering
from client.widgets.bits import wrapped
from client.widgets.sections import Section

_KINDS = ("action/", "mythos/", "trauma/", "item/", "spell/", "trait/", "deed/", "obstacle/")
"""Prefixes of the ids of pieces whose text says what a choice would do."""
_SAYS_ALL = "choice/trait"
"""The choice of a trait, which has the text of the trait itself."""


def chosen_card(scene: FirstEditionScene, answering: Answering | None, width: int) -> Section:
    """Return what the card of the choice or refusal under the cursor does; empty without one."""
    card = _named_by(answering)
    text = scene.speaker.words.find(card).get("text", "") if card else ""
    if not text:
        return Section("", ())
    return Section(scene.speaker.name("card", card), (wrapped(text, width),), is_needed=True)


def _named_by(answering: Answering | None) -> str:
    """Return the id of the card that the choice or refusal under the cursor names, or nothing."""
    if answering is None or answering.cursor < 0:
        return ""
    texts = [one.text for one in answering.choices]
    texts += [one.text for one in answering.refusals]
    text = texts[answering.cursor] if answering.cursor < len(texts) else None
    if text is None or text.subject == _SAYS_ALL:
        return ""
    ids = (one for one in text.params if isinstance(one, str) and one.startswith(_KINDS))
    return next(ids, "")
