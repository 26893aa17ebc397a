"""Text on widgets: foreign text, labels, links out, differences."""
