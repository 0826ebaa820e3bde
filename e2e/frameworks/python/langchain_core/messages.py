"""Stands in for langchain_core.messages: the members of its messages that middleware reads, as in 1.6."""

import dataclasses
import typing


@dataclasses.dataclass
class HumanMessage:
    content: str
    id: str | None = None


@dataclasses.dataclass
class AIMessage:
    content: str = ""
    tool_calls: list[dict[str, typing.Any]] = dataclasses.field(default_factory=list)
    id: str | None = None


@dataclasses.dataclass
class ToolMessage:
    content: str
    tool_call_id: str
    name: str | None = None
    status: str = "success"
    id: str | None = None
