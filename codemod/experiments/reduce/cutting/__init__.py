"""Cutting a program as long as it still shows what is looked for."""
