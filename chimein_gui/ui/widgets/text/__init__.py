"""Text on widgets: foreign text, labels, links, and differences of texts."""
