"""Photos, stickers, voice and files: what is stored, how it is uploaded, and how it is seen."""
