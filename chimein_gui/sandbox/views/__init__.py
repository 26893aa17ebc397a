"""How one account sees the world, and how what happens there reaches its connections."""
