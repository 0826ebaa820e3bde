"""Stands in for langchain.agents.middleware: the class that middleware extends, whose hooks the agent calls."""


class AgentMiddleware:
    def __init__(self):
        pass

    @property
    def name(self):
        return type(self).__name__
