"""Colours, fonts, icons, and mirroring for right-to-left layouts."""
