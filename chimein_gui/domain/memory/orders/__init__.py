"""Orders of partners to remember something: how they are recognised, and how they are answered."""
