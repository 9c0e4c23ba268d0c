"""The command `manse`: dispatch to subcommands, and what they share: parser, language, settings."""
