"""Elision: a word before a slot loses its last letter where its language says so."""

import pytest

from protocol.common.templates import Nickname, filled, in_a_row
from protocol.common.text import SubjectWords, Text, render

FRENCH = {"name": "Français", "elided": "de que"}


@pytest.mark.parametrize(
    ("template", "name", "said"),
    [
        ("Le tour de {0}", "Ada", "Le tour d’Ada"),
        ("Ce que {0} garde", "Élodie", "Ce qu’Élodie garde"),
        ("De {0}, rien", "Ilse", "D’Ilse, rien"),
        ("Le tour de {0}", "Bob", "Le tour de Bob"),
        ("Le tour de {0}", "Hester", "Le tour de Hester"),
        ("Le monde {0}", "Ada", "Le monde Ada"),
        ("Le tour de {0}", "", "Le tour de "),
        ("{0} et la place de {0}", "Ada", "Ada et la place d’Ada"),
    ],
)
def test_french_says_d_before_a_vowel(template: str, name: str, said: str) -> None:
    words: dict[str, SubjectWords] = {"language": FRENCH, "turn": {"text": template}}

    assert render(Text("turn", (name,)), words.get) == said


ARTICLES = {
    **FRENCH,
    "articles": "Le La Les L’",
    "contracted": "à+le=au à+les=aux de+le=du de+les=des",
}


@pytest.mark.issue(41)
@pytest.mark.parametrize(
    ("template", "name", "said"),
    [
        ("Vers {0}", "La carrière", "Vers la carrière"),
        ("Vers {0}", "L’îlot", "Vers l’îlot"),
        ("Vers {0}", "Large", "Vers Large"),
        ("Vers {0}", "Les", "Vers Les"),
        ("Offrir à {0}", "La vieille Nan Tolley", "Offrir à la vieille Nan Tolley"),
        ("Offrir à {0}", "Le Dernier Bailli", "Offrir au Dernier Bailli"),
        ("Offrir à {0}", "Les Huit Pierres", "Offrir aux Huit Pierres"),
        ("Le tour de {0}", "Le Dernier Bailli", "Le tour du Dernier Bailli"),
        ("De {0}, rien", "Les Huit Pierres", "Des Huit Pierres, rien"),
        ("Le tour de {0}", "L’îlot", "Le tour de l’îlot"),
        ("Jusqu’à {0}", "Le cercle", "Jusqu’au cercle"),
        ("{0} s’ouvre", "La carrière", "La carrière s’ouvre"),
        ("Objet : {0}", "La petite pierre", "Objet : La petite pierre"),
        ("Vers « {0} »", "La carrière", "Vers « La carrière »"),
        ("{0}, {0}", "La carrière", "La carrière, La carrière"),
    ],
)
def test_a_french_article_has_no_capital_and_contracts_within_a_sentence(
    template: str, name: str, said: str
) -> None:
    words: dict[str, SubjectWords] = {"language": ARTICLES, "turn": {"text": template}}

    assert render(Text("turn", (name,)), words.get) == said


@pytest.mark.issue(41)
def test_names_in_a_row_have_a_capital_article_only_in_front() -> None:
    names = ("Le Bailli", "Le Passeur", "L’îlot", "Lestrange", "Ada")

    assert in_a_row(names, ARTICLES) == "Le Bailli, le Passeur, l’îlot, Lestrange, Ada"
    assert filled("Vers {0}", [in_a_row(names[1:3], ARTICLES)], str, ARTICLES) == (
        "Vers le Passeur, l’îlot"
    )
    assert in_a_row(names[:2], {}) == "Le Bailli, Le Passeur"
    assert in_a_row((), ARTICLES) == ""


@pytest.mark.issue(41)
@pytest.mark.parametrize(
    ("template", "name", "said"),
    [
        ("Le tour de {0}", "Le Chat", "Le tour de Le Chat"),
        ("Offrir à {0}", "Les Huit", "Offrir à Les Huit"),
        ("Vers {0}", "L’Ours", "Vers L’Ours"),
        ("Le tour de {0}", "Ada", "Le tour d’Ada"),
    ],
)
def test_a_players_nickname_keeps_its_article(template: str, name: str, said: str) -> None:
    assert filled(template, [Nickname(name)], str, ARTICLES) == said


@pytest.mark.issue(41)
@pytest.mark.parametrize("rules", ["none", "=", "+", "à+le", "à+le=", "==++"])
def test_contractions_that_make_no_sense_are_no_error(rules: str) -> None:
    grammar = {"articles": f"{rules} Le", "contracted": rules}
    words: dict[str, SubjectWords] = {"language": grammar, "turn": {"text": "Offrir à {0}"}}

    assert render(Text("turn", ("Le Dernier Bailli",)), words.get).endswith(" Bailli")


def test_a_language_that_names_no_words_keeps_them() -> None:
    words: dict[str, SubjectWords] = {
        "language": {"name": "Español"},
        "turn": {"text": "El de {0}"},
    }

    assert render(Text("turn", ("Ada",)), words.get) == "El de Ada"
