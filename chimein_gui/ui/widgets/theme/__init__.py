"""Colours, fonts, icons, and the mirror of right-to-left layouts."""
