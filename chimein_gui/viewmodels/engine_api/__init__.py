"""The parts of the engine that the view models call, as protocols."""
