"""Measurements against the frameworks' and the peers' own calls: ``make bench``."""
