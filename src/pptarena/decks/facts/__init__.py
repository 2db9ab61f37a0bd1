"""Deck contents as frozen dataclasses with effective values."""
