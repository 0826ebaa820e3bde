"""Middleware for LangChain's create_agent that asks people about tool calls. Needs the package langchain, 1.0 or newer."""

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage

from . import AsyncClient, inquire
from ._tool_call import key_of, thread_of
from ._ended import awaited, resolved


class BeckonHumanInTheLoop(AgentMiddleware):
    def __init__(self, interrupt_on, agent, options):
        super().__init__()
        self._interrupt_on, self._agent, self._options = interrupt_on, agent, options

    def wrap_tool_call(self, request, handler):
        rule = self._rule(request)
        if rule is None:
            return handler(request)
        inquiry, options = self._inquiry(request, rule), {**key_of(request), **self._options}
        allowed, message = _decided(request, resolved(lambda: inquire(inquiry, **options)))
        return message if allowed is None else handler(allowed)

    async def awrap_tool_call(self, request, handler):
        rule = self._rule(request)
        if rule is None:
            return await handler(request)
        asked = AsyncClient(**self._options).inquire(self._inquiry(request, rule), **key_of(request))
        allowed, message = _decided(request, await awaited(asked))
        return message if allowed is None else await handler(allowed)

    def _rule(self, request):
        """How people are asked about this call; None where it runs unasked."""
        rule = self._interrupt_on.get(request.tool_call["name"])
        if not rule or (rule is not True and "when" in rule and not rule["when"](request)):
            return None
        return {} if rule is True else rule

    def _inquiry(self, request, rule):
        call, description = request.tool_call, rule.get("description")
        allowed = rule.get("allowed_decisions") or ["approve", "edit", "reject"]
        description = description(call, request.state, request.runtime) if callable(description) else description
        name = ((request.runtime.config or {}).get("metadata") or {}).get("lc_agent_name")
        context = {"agent": self._agent or name, "runId": thread_of(request)}
        more = {"description": description, "argsSchema": rule.get("args_schema")}
        action = {"name": call["name"], "args": call["args"], "allowed": allowed, **_known(more)}
        return {"actions": [action], "context": _known(context)}


def human_in_the_loop(*, interrupt_on, agent=None, **options):
    """Middleware of create_agent that holds each call of these tools until people decide it.

    Each call is a question of its own: a reject of one drops no other. What nobody approved does not run; the model is
    told why. On a thread with an id the same call is the same question, also for a process that comes back to it.
    `interrupt_on`: as HumanInTheLoopMiddleware takes it; `agent`: its name on the card, else that of create_agent;
    others: of the client's `ask`. Raises where the hub stays out of reach; the call does not run then.
    """
    return BeckonHumanInTheLoop(interrupt_on, agent, options)


def _known(members):
    return {name: value for name, value in members.items() if value}


def _decided(request, resolution):
    """The call to run, or the message in its place."""
    answer = resolution.get("answer") if resolution["outcome"] == "answered" else {}
    decision = (answer.get("decisions") or [{}])[0]
    call, kind = request.tool_call, decision.get("type")
    if kind == "approve":
        return request, None
    if kind == "edit":
        return request.override(tool_call={**call, "args": decision["args"]}), None
    content, status = (decision["message"], "success") if kind == "respond" else (resolution["text"], "error")
    return None, ToolMessage(content=content, name=call["name"], tool_call_id=call["id"], status=status)
