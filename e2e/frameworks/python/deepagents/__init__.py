"""Stands in for deepagents: `create_deep_agent` makes the sub-agents of its specs as deepagents 0.7 does.

A tool `task` runs one of them, with the thread of the agent that calls it. The general-purpose one is added without the
agent's middleware; a spec without tools has those of the agent. The model of a spec is the list of its messages' calls.
"""

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage

from deepagents.middleware.subagents import GENERAL_PURPOSE_SUBAGENT


def create_deep_agent(model, tools=(), *, middleware=(), subagents=(), name=None, config=None):
    specs = list(subagents)
    if not any(spec["name"] == GENERAL_PURPOSE_SUBAGENT["name"] for spec in specs):
        specs.insert(0, GENERAL_PURPOSE_SUBAGENT)
    for spec in specs:
        assert "interrupt_on" not in spec, "It would interrupt too, which this stand-in cannot."
    made = {spec["name"]: spec.get("runnable") or made_of(spec, model, tools) for spec in specs}

    def task(subagent_type, description):
        result = made[subagent_type].invoke({"messages": [HumanMessage(description)]}, config)
        return result["messages"][-1].content

    return create_agent(model["main"], [task, *tools], middleware=middleware, name=name)


def made_of(spec, model, tools):
    own = {"middleware": spec.get("middleware", []), "name": spec["name"]}
    return create_agent(model[spec["name"]], spec.get("tools", tools), **own)
