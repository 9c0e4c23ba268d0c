"""Bots: who plays a seat where no person does, and the process that holds one."""
