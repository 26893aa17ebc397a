"""Parts that know no engine."""
