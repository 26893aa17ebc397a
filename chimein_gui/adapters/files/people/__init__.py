"""Files with something about one person: found, given out in a zip file, and removed."""
