"""The controls of the sandbox: scenarios, faults, and the model that answers."""
