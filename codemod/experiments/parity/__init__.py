"""Parity: train a kit with the hook off and on, and judge whether anything but speed changed."""
