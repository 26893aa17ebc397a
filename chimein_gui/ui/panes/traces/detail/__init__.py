"""Details of a trace in tabs: the reply and its tasks, injected pages, the request, what it cost, the chosen step."""
