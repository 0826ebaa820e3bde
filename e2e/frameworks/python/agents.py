"""Stands in for the package openai-agents (`agents`): `Runner.run` stops for approvals as the SDK of August 2026 does.

Calls of a turn are asked about together; what was approved runs, what was rejected is told to the model, "always" holds
for a tool until the run ends, and undoes what was decided about its other calls. An agent's model is the list of its
turns, each a list of raw items.
"""

import dataclasses
import json
import typing


@dataclasses.dataclass
class Agent:
    name: str
    model: list[list[dict[str, typing.Any]]]
    tools: dict[str, typing.Callable[..., str]]


class RawItem:
    """An item as the package openai has it: members, and `model_dump`."""

    def __init__(self, members):
        self.__dict__.update(members)

    def model_dump(self, mode="python"):
        return dict(self.__dict__)


class ToolApprovalItem:
    def __init__(self, agent, members):
        # The SDK keeps items of a function or of MCP as objects, those of a shell as a dict.
        self.agent, self.raw_item = agent, members if members["type"] == "shell_call" else RawItem(members)
        self.tool_name = self.name = members.get("name", "shell")
        self.arguments = members.get("arguments")
        self.call_id = members.get("call_id") or members.get("id")


class RunState:
    def __init__(self, agent, turn=0, said=(), decided=None, sticky=None):
        self.agent, self.turn, self.said = agent, turn, list(said)
        self.decided, self.sticky = decided or {}, sticky or {}

    def get_interruptions(self):
        items = [ToolApprovalItem(self.agent, members) for members in self.agent.model[self.turn]]
        return [one for one in items if self.decision(one) is None]

    def approve(self, item, always_approve=False):
        self.decide(item, always_approve, [True, None])

    def reject(self, item, always_reject=False, *, rejection_message=None):
        self.decide(item, always_reject, [False, rejection_message])

    def decide(self, item, always, decision):
        if always:
            self.sticky[item.name] = decision
        else:
            self.decided[item.call_id] = decision

    def decision(self, item):
        return self.sticky.get(item.name) or self.decided.get(item.call_id)

    def to_string(self):
        return json.dumps([self.turn, self.said, self.decided, self.sticky])

    @staticmethod
    async def from_string(agent, text, *, context_override=None):
        return RunState(agent, *json.loads(text))


@dataclasses.dataclass
class RunResult:
    state: RunState
    interruptions: list[ToolApprovalItem]
    final_output: str | None = None

    def to_state(self):
        return self.state


class Runner:
    @staticmethod
    async def run(agent, input, **_options):
        state = input if isinstance(input, RunState) else RunState(agent)
        while state.turn < len(agent.model):
            if waiting := state.get_interruptions():
                return RunResult(state, waiting)
            for item in [ToolApprovalItem(agent, members) for members in agent.model[state.turn]]:
                approved, message = state.decision(item)
                run = agent.tools[item.name]
                state.said.append(run(**json.loads(item.arguments or "{}")) if approved else message or "rejected")
            state.turn, state.decided = state.turn + 1, {}
        return RunResult(state, [], " | ".join(state.said))
