"""Words of the woods in both languages, by subject."""

from collections.abc import Mapping

Catalogs = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Words by language, then by subject, then by field."""

_TEXTS: Mapping[str, tuple[str, str]] = {
    "woods/about": ("a night in the woods", "une nuit dans les bois"),
    "woods/where_to_lay": ("Where does the snare lie?", "Où poser le collet ?"),
    "woods/where_to_walk": ("Where to?", "Où aller ?"),
    "woods/lay": ("Lay it: {0}", "Le poser : {0}"),
    "woods/walk": ("Walk: {0}", "Aller : {0}"),
}

_NAMES: Mapping[str, tuple[str, str]] = {
    "woods/night": ("A Night in the Woods", "Une nuit dans les bois"),
    "role/animal": ("Animal", "Animal"),
    "role/keeper": ("Keeper", "Garde"),
    "clearing/brook": ("the brook", "le ruisseau"),
    "clearing/glade": ("the glade", "la clairière"),
    "clearing/thicket": ("the thicket", "le fourré"),
}


def catalogs() -> Catalogs:
    return {
        language: {
            **{subject: {"text": texts[at]} for subject, texts in _TEXTS.items()},
            **{
                subject: {"name": names[at], "text": names[at]} for subject, names in _NAMES.items()
            },
            "language": {"plural": "fr" if language == "fr" else ""},
        }
        for at, language in enumerate(("en", "fr"))
    }
