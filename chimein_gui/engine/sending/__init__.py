"""From an approved send to Telegram and back: claim, dispatch, confirmation, reconciliation."""
