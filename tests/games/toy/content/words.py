"""The words of the toy in both languages, by subject."""

from collections.abc import Mapping

Catalogs = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Language -> subject -> its words."""

_TEXTS: Mapping[str, tuple[str, str]] = {
    "toy/about": ("a day in the woods", "une journée dans les bois"),
    "toy/prompt": ("What now?", "Et maintenant ?"),
    "toy/go": ("Go", "En route"),
    "toy/action": ("Act: {0}", "Agir : {0}"),
    "toy/card": ("A card", "Une carte"),
    "toy/weather": ("Weather: {0}", "Temps : {0}"),
    "toy/stake": ("Bid: {0}", "Miser : {0}"),
    "toy/keep": ("Keep the omen", "Garder le présage"),
    "toy/no_wishes": ("Nobody wishes for anything here.", "Ici, personne ne souhaite rien."),
    "toy/no_weather": ("Wish for one of: {0}", "Souhaitez l’un de ceux-ci : {0}"),
    "toy/swap": ("Swap them", "Les échanger"),
    "toy/burn": ("Burn the omen", "Brûler le présage"),
    "toy/pass": ("Pass", "Passer"),
    "toy/strike": ("Strike", "Frapper"),
    "toy/turn": ("the turn of {0}", "le tour de {0}"),
    "toy/kind": ("a card: {0}", "une carte : {0}"),
}

_NAMES: Mapping[str, tuple[str, str]] = {
    "toy/ambush": ("ambushes", "les embuscades"),
    "toy/motion": ("motions", "les motions"),
    "toy/plain": ("A Day in the Woods", "Une journée dans les bois"),
    "en": ("English", "English"),
    "fr": ("français", "français"),
}

_KINDS = {
    "ambush": ("an ambush", "une embuscade"),
    "ballot": ("a ballot", "un vote"),
    "errand": ("an errand", "une course"),
    "gust": ("a gust", "une rafale"),
    "moot": ("a moot", "une assemblée"),
    "motion": ("a motion", "une motion"),
    "quiet": ("a quiet hour", "une heure calme"),
    "storm": ("a storm", "un orage"),
}


def catalogs(cards: tuple[str, ...]) -> Catalogs:
    """Return all words, those of these cards included: each is called as its kind is."""
    both = ("en", "fr")
    return {
        language: {
            **{subject: {"text": texts[at]} for subject, texts in _TEXTS.items()},
            **{
                subject: {"name": names[at], "text": names[at]} for subject, names in _NAMES.items()
            },
            **{card: {"name": _KINDS[card.split("/")[1]][at]} for card in cards},
            "language": {"plural": "fr" if language == "fr" else ""},
        }
        for at, language in enumerate(both)
    }
