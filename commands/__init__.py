"""The command `manse`: dispatch to subcommands, and their common parser, language and settings."""
