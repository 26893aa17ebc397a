"""What is held about one person outside, by kind of data. It stands on the standard library."""
