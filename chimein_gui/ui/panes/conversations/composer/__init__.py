"""The composer, in which the operator writes as the agent, or in the sandbox as a partner."""
