"""Photos, stickers, voice messages and files: storage, uploads, and each viewer's view of them."""
