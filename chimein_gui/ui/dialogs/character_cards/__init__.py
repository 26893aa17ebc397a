"""The dialogs of character cards: what becomes of a card before an agent is made of it, and which card is exported."""
