"""Names: the words for ids and tokens, which the catalogue of a pack has or a language supplies."""

from collections.abc import Callable

import attrs

from content.games.cards.wording.language import Language, Noun

MINUS = "\N{MINUS SIGN}"
NameOf = Callable[[str, str], str]
"""Returns a field of a subject's words; empty if the pack has none."""


@attrs.frozen
class Names:
    """Names of one pack in one language."""

    language: Language
    name_of: NameOf

    def text(self, value: str, how: str = "") -> str:
        """Return the words for an id or a word of the pack; a template says how."""
        quote = self.language["grammar", "quote"]
        match how:
            case "token":
                return self.token(value).one
            case "tokens":
                return self.token(value).many
            case "word":
                return self.chaos(value)
            case "plain":
                return quote.format(self.name_of(f"deck/{value}", "name") or value)
            case "resolution":
                name = self.name_of(value, "name")
                return (
                    self.language["line", "resolution"].format(quote.format(name)) if name else ""
                )
            case "memory":
                said = self.name_of(f"memory/{value}", "name") or value.replace("-", " ")
                return quote.format(said)
        if "/" in value:
            return quote.format(self.name_of(value, "name") or value)
        return self.name_of(f"trait/{value}", "name") or value

    def chaos(self, token: str) -> str:
        """Return the name of a chaos token."""
        if self.language.has("token", token):
            return self.name_of(f"chaos/{token}", "name") or self.language["token", token]
        return token.replace("-", MINUS)

    def token(self, token: str) -> Noun:
        """Return the noun for a kind of token."""
        if self.language.has("noun", token):
            return self.language.noun(token)
        many = self.name_of(f"token/{token}", "name") or token
        return Noun(self.name_of(f"token/{token}", "one") or many, many)
