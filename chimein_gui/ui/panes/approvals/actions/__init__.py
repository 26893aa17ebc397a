"""The actions on a card: buttons, menus, and what they do."""
