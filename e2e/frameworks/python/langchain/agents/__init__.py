"""Stands in for langchain.agents: `create_agent` runs a model's calls through the middleware as langchain 1.4 does.

Its node of tools (langgraph 1.2) hands each call on its own to `wrap_tool_call`, those of one message at once, with the
request below. The model is the list of its messages' calls, turn by turn.
"""

import asyncio
import concurrent.futures
import dataclasses
import functools
import typing
import uuid

from langchain_core.messages import AIMessage, ToolMessage


@dataclasses.dataclass
class ToolRuntime:
    state: typing.Any
    config: dict[str, typing.Any]
    tool_call_id: str | None


@dataclasses.dataclass
class ToolCallRequest:
    tool_call: dict[str, typing.Any]
    tool: typing.Any
    state: typing.Any
    runtime: ToolRuntime

    def override(self, **overrides):
        return dataclasses.replace(self, **overrides)


class Agent:
    def __init__(self, model, tools, middleware, name):
        names = [one.name for one in middleware]
        assert len(set(names)) == len(names), "Please remove duplicate middleware instances."
        self.model, self.middleware, self.name = model, middleware, name
        self.tools = {tool.__name__: tool for tool in tools}

    def invoke(self, input, config=None):
        messages = list(input["messages"])
        for calls in self.turns(messages):
            with concurrent.futures.ThreadPoolExecutor() as pool:
                ran = [pool.submit(self.call, self.request(one, messages, config)) for one in calls]
            messages += [one.result() for one in ran]
        return {"messages": messages}

    async def ainvoke(self, input, config=None):
        messages = list(input["messages"])
        for calls in self.turns(messages):
            messages += await asyncio.gather(*[self.acall(self.request(one, messages, config)) for one in calls])
        return {"messages": messages}

    def turns(self, messages):
        """The calls of each turn; a thread that was cut off goes on with those of its last message."""
        if isinstance(messages[-1], AIMessage):
            yield messages[-1].tool_calls
        for calls in self.model:
            made = [{"name": name, "args": args, "id": id, "type": "tool_call"} for name, args, id in calls]
            messages.append(AIMessage(tool_calls=made, id="lc_run--%s" % uuid.uuid4()))
            yield made

    def request(self, call, messages, config):
        own = {**(config or {}), "metadata": {"lc_agent_name": self.name} if self.name else {}}
        state = {"messages": list(messages)}
        runtime = ToolRuntime(state=state, config=own, tool_call_id=call["id"])
        return ToolCallRequest(tool_call=call, tool=self.tools.get(call["name"]), state=state, runtime=runtime)

    def call(self, request):
        handler = self.run
        for one in reversed(self.middleware):
            handler = functools.partial(lambda next, own, given: own.wrap_tool_call(given, next), handler, one)
        return handler(request)

    async def acall(self, request):
        async def run(given):
            return self.run(given)

        handler = run
        for one in reversed(self.middleware):
            handler = functools.partial(lambda next, own, given: own.awrap_tool_call(given, next), handler, one)
        return await handler(request)

    def run(self, request):
        call = request.tool_call
        said = self.tools[call["name"]](**call["args"])
        return said if isinstance(said, ToolMessage) else ToolMessage(said, call["id"], call["name"])


def create_agent(model, tools=(), *, middleware=(), name=None):
    return Agent(model, tools, list(middleware), name)
