"""Files of descriptions of media, in the config directories and in the state directory."""
