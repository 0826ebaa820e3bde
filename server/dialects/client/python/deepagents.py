"""Asks people about the tool calls of a deep agent and of its sub-agents. Needs the package deepagents."""

from deepagents.middleware.subagents import GENERAL_PURPOSE_SUBAGENT

from . import langchain


def human_in_the_loop(*, interrupt_on, subagents=(), agent=None, **options):
    """What create_deep_agent is given, so that it and its sub-agents hold each call of these tools until people decide it.

    `create_deep_agent(model=…, tools=…, **human_in_the_loop(interrupt_on={"delete_records": True}, subagents=[…]))`.
    A sub-agent has the same `interrupt_on` unless its spec has one, and is named on the card; so is the general-purpose
    one, which deepagents adds. One that is compiled or remote stays as it is, and has to ask by itself. Others: as
    `beckon.langchain.human_in_the_loop`, whose promises hold here.
    """

    def asking(interrupt_on, name=None):
        named = ": ".join(one for one in (agent, name) if one)
        return langchain.human_in_the_loop(interrupt_on=interrupt_on, agent=named or None, **options)

    def held(spec):
        if "runnable" in spec or "graph_id" in spec:
            return spec
        # Left in its spec it would interrupt as well.
        rest = {name: value for name, value in spec.items() if name != "interrupt_on"}
        own = asking(spec.get("interrupt_on", interrupt_on), spec["name"])
        return {**rest, "middleware": [*spec.get("middleware", []), own]}

    # Without a spec deepagents adds this one with all of the tools and none of the middleware.
    added = [] if any(spec["name"] == GENERAL_PURPOSE_SUBAGENT["name"] for spec in subagents) else [GENERAL_PURPOSE_SUBAGENT]
    return {"middleware": [asking(interrupt_on)], "subagents": [held(spec) for spec in [*added, *subagents]]}
