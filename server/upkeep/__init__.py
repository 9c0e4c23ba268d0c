"""The command `manse store`: backups, checks and clearing of a server's database."""
