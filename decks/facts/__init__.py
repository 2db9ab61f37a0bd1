"""What a deck holds, as frozen dataclasses with effective values: one file for each noun."""
