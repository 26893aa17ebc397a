"""Talking about anything: reading the prompt, understanding what was said last, finding what was said before."""
