import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Decision } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { answer, asked, decide, nothingAsked } from '../gate/people.ts';
import { snippet } from '../guides/snippets.ts';
import { type Hub, startHub } from '../hub/hub.ts';
import { addSource, type Device, ownerDevice } from '../hub/people.ts';
import { Program } from '../hub/process.ts';

const STAND_INS = join(import.meta.dirname, 'python');
const WHEEL = resolve(import.meta.dirname, '../../infra/pack/wheel.py');

const TOOL = `
import asyncio, sys
def delete_records(table):
    print("ran", table, flush=True)
    return "Deleted %s." % table
`;
/** It goes on with its thread's last message where that has an id, as from a checkpoint. */
const LANGCHAIN = `${TOOL}
from beckon.langchain import human_in_the_loop
from langchain.agents import create_agent
from langchain_core.messages import AIMessage, HumanMessage
how, message, *tables = sys.argv[1:]
calls = [("delete_records", {"table": table}, "call_%d" % at) for at, table in enumerate(tables)]
rule = {"allowed_decisions": ["approve", "edit", "reject", "respond"], "description": lambda call, *_: "Table " + call["args"]["table"]}
rule |= {"when": lambda request: request.tool_call["args"]["table"] != "free", "args_schema": {"type": "object"}}
middleware = [human_in_the_loop(interrupt_on={"delete_records": rule, "read": False})]
cut = [AIMessage(id=message, tool_calls=[{"name": name, "args": args, "id": id} for name, args, id in calls])]
agent = create_agent([[]] if message else [calls], [delete_records], middleware=middleware, name="Cleaner")
input, config = {"messages": [HumanMessage("Clean up"), *(cut if message else [])]}, {"configurable": {"thread_id": "thread-1"}}
result = agent.invoke(input, config) if how == "sync" else asyncio.run(agent.ainvoke(input, config))
print("said", " | ".join(one.content for one in result["messages"] if hasattr(one, "tool_call_id")))
`;
const DEEP = `${TOOL}
from beckon.deepagents import human_in_the_loop
from deepagents import create_deep_agent
from langchain_core.messages import HumanMessage
one = [[("delete_records", {"table": name}, "call_0")] for name in ["main", "general", "cleaner", "free"]]
tasks = [("task", {"subagent_type": name, "description": "Clean up"}, "call_1") for name in ["general-purpose", "cleaner", "free"]]
model = {"main": [one[0], *[[task] for task in tasks]], "general-purpose": [one[1]], "cleaner": [one[2]], "free": [one[3]]}
spec = {"description": "Cleans.", "system_prompt": "Clean up."}
subagents = [{**spec, "name": "cleaner"}, {**spec, "name": "free", "interrupt_on": {"delete_records": False}}]
people = human_in_the_loop(interrupt_on={"delete_records": True}, subagents=subagents, agent="Chief")
config = {"configurable": {"thread_id": "deep-1"}}
create_deep_agent(model, [delete_records], **people, config=config).invoke({"messages": [HumanMessage("Clean up")]}, config)
`;
const OPENAI = `${TOOL}
import json
from agents import Agent
from beckon.openai_agents import run_with_people
file, *turns = sys.argv[1:]
agent = Agent("Cleaner", [json.loads(turn) for turn in turns], {"delete_records": delete_records, "shell": lambda: "ran it", "ask": lambda **_: "asked"})
result = asyncio.run(run_with_people(agent, "Clean up", file=file or None, ask={"deadline": 600}))
print("said", result.final_output)
`;
/** What stands before a block of the guide, and behind it. */
const AROUND = {
  'agents.md > Middleware in Python > python 0': [
    `${TOOL}
from langchain.agents import create_agent
model, tools = [[("delete_records", {"table": "old"}, "call_0")]], [delete_records]`,
    'agent.invoke({"messages": [None]})',
  ],
  'agents.md > Middleware in Python > python 1': [
    `${TOOL}
from deepagents import create_deep_agent
model, tools, subagents = {"main": [[("delete_records", {"table": "old"}, "call_0")]], "general-purpose": []}, [delete_records], []`,
    'agent.invoke({"messages": [None]})',
  ],
  'agents.md > Middleware in Python > python 2': [
    `${TOOL}
import os, tempfile
from agents import Agent
made = {"type": "function_call", "call_id": "call_0", "name": "delete_records", "arguments": '{"table": "old"}'}
agent, run_id = Agent("Cleaner", [[made]], {"delete_records": delete_records}), "1"
os.chdir(tempfile.mkdtemp())
os.mkdir("runs")`,
    '',
  ],
  'langgraph.md > LangGraph > python 0': [
    `${TOOL}
import types
kept = types.ModuleType("langgraph.types")
kept.Command = dict
sys.modules.update({"langgraph": types.ModuleType("langgraph"), "langgraph.types": kept})
class Graph:
    def invoke(self, command, config):
        [answer] = command["resume"].values()
        if answer["decisions"][0]["type"] == "approve":
            delete_records("old")
        return {}
value = {"action_requests": [{"name": "delete_records", "args": {"table": "old"}, "description": "Deletes."}],
    "review_configs": [{"action_name": "delete_records", "allowed_decisions": ["approve", "reject"]}]}
agent, config, result = Graph(), {}, {"__interrupt__": [types.SimpleNamespace(id="1", value=value)]}`,
    '',
  ],
  'agents.md > OpenAI Agents > python 0': [
    `${TOOL}
from agents import Agent, Runner
made = {"type": "function_call", "call_id": "call_0", "name": "delete_records", "arguments": '{"table": "old"}'}
agent = Agent("Cleaner", [[made]], {"delete_records": delete_records})
result = asyncio.run(Runner.run(agent, "Clean up"))`,
    '',
  ],
};
/** Runs a block as it stands, with what it awaits. */
const BLOCK = `
import ast, asyncio, inspect, sys
before, block, behind = sys.argv[1:]
exec(before)
waits = eval(compile(block, "block", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT))
if inspect.iscoroutine(waits):
    asyncio.run(waits)
exec(behind)
`;
const call = (id: string, table: string, name = 'delete_records') =>
  ({ type: 'function_call', call_id: id, name, arguments: JSON.stringify({ table }) }) as const;

// The frameworks' Python packages are not installed here: the folder python/ has stand-ins of the shapes that they have.
describe('Python middleware of the wheel, on recorded shapes of the frameworks', { timeout: 120_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'beckon-python-'));
    const { out, err } = await new Program(['python3', WHEEL, folder]).ended;
    hub = await startHub();
    owner = await ownerDevice(hub);
    const { key } = await addSource(hub, owner, 'Python');
    strictEqual(err, '');
    const paths = [out.trim(), STAND_INS].join(delimiter);
    env = { ...process.env, PYTHONPATH: paths, PYTHONDONTWRITEBYTECODE: '1', BECKON_URL: hub.url, BECKON_KEY: key };
  });
  after(async () => {
    await hub?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (program: string, ...args: string[]) => new Program(['python3', '-c', program, ...args], env);
  /** What a program that runs has open, once that is so many questions. */
  const open = (program: Program, count = 1) =>
    Promise.race([asked(hub, owner, count), program.ended.then(({ err }) => Promise.reject(new Error(err)))]);
  async function told(program: Program): Promise<{ ran: string[]; said: string | undefined }> {
    const { code, out, err } = await program.ended;
    deepStrictEqual([code, err], [0, '']);
    const ran = [...out.matchAll(/^ran (.*)$/gm)].map(([, table = '']) => table);
    return { ran, said: /^said (.*)$/m.exec(out)?.[1] };
  }
  const tableOf = ({ actions }: Inquiry) => (actions?.[0]?.args as { table: string } | undefined)?.table ?? '';
  /** What a person decides about each table, once all of them are asked about. */
  async function decideAll(program: Program, decisions: Record<string, Decision>): Promise<Inquiry[]> {
    const inquiries = await open(program, Object.keys(decisions).length);
    for (const one of inquiries) await decide(hub, owner, one, decisions[tableOf(one)]!);
    return inquiries;
  }

  for (const how of ['sync', 'async'])
    test(`[DIA1] LangChain, ${how}: each call is asked about by itself, and a reject of one drops no other`, async () => {
      const program = start(LANGCHAIN, how, '', 'old', 'new', 'gone', 'own', 'free');
      const inquiries = await decideAll(program, {
        old: { type: 'approve' },
        new: { type: 'reject', message: 'Keep it.' },
        gone: { type: 'edit', args: { table: 'lost' } },
        own: { type: 'respond', message: 'Done by hand.' },
      });
      deepStrictEqual(
        inquiries.map(({ actions: [action, ...rest] = [], context }) => [
          rest.length,
          action?.description,
          action?.argsSchema,
          context,
        ]),
        inquiries.map((one) => [
          0,
          `Table ${tableOf(one)}`,
          { type: 'object' },
          { agent: 'Cleaner', runId: 'thread-1' },
        ]),
      );
      const { ran, said } = await told(program);
      deepStrictEqual(ran.toSorted(), ['free', 'lost', 'old']);
      deepStrictEqual(
        said?.split(' | ').map((one) => one.replace(/^.*Keep it\..*$/, 'rejected')),
        ['Deleted old.', 'rejected', 'Deleted lost.', 'Done by hand.', 'Deleted free.'],
      );
    });

  test('[RES4] [DIA1] LangChain: what somebody declined does not run', async () => {
    const program = start(LANGCHAIN, 'sync', '', 'old');
    const [inquiry] = await open(program);
    await answer(hub, owner, inquiry, { outcome: 'declined' });
    deepStrictEqual((await told(program)).ran, []);
  });

  test('[ASK5] LangChain: a process that comes back finds its question, and a later run with the same ids asks anew', async () => {
    const first = start(LANGCHAIN, 'sync', 'message-1', 'old');
    const [inquiry] = await open(first);
    await first.end('SIGKILL');
    const second = start(LANGCHAIN, 'async', 'message-1', 'old');
    await decide(hub, owner, inquiry, { type: 'approve' });
    deepStrictEqual((await told(second)).ran, ['old']);
    const third = start(LANGCHAIN, 'sync', 'message-2', 'old');
    const [later] = await open(third);
    await decide(hub, owner, later, { type: 'reject' });
    deepStrictEqual([(await told(third)).ran, later.id === inquiry.id], [[], false]);
  });

  test('[DIA1] Deep Agents: the sub-agents ask too, each by its name, and the one that needs no leave does not', async () => {
    const program = start(DEEP);
    const names: (string | undefined)[] = [];
    for (const type of ['approve', 'reject', 'approve'] as const) {
      const [inquiry] = await open(program);
      names.push(inquiry.context?.agent);
      await decide(hub, owner, inquiry, { type });
    }
    deepStrictEqual(names, ['Chief', 'Chief: general-purpose', 'Chief: cleaner']);
    deepStrictEqual((await told(program)).ran, ['main', 'cleaner', 'free']);
  });

  test('[DIA1] OpenAI Agents: each interruption is asked about by itself, "always" holds for the run, words reach the model', async () => {
    const turns = [
      [call('call_0', 'old'), call('call_1', 'new')],
      [call('call_0', 'third')],
      [{ type: 'shell_call', call_id: 'call_0', action: { commands: ['ls'] } }],
      [{ type: 'mcp_approval_request', id: 'mcp_0', server_label: 'wiki', name: 'ask', arguments: '{"q":1}' }],
    ];
    const program = start(OPENAI, '', ...turns.map((turn) => JSON.stringify(turn)));
    const two = await decideAll(program, {
      old: { type: 'approve', optionId: 'approve-always' },
      new: { type: 'reject', optionId: 'reject', message: 'Keep it.' },
    });
    deepStrictEqual(
      two.map(({ actions, context }) => [actions?.length, context?.agent]),
      [
        [1, 'Cleaner'],
        [1, 'Cleaner'],
      ],
    );
    // Another call of the tool was rejected, so "always" was not said to the SDK, which would have undone that.
    await decideAll(program, { third: { type: 'approve', optionId: 'approve-always' } });
    const [shell] = await open(program);
    deepStrictEqual(shell.actions?.[0]?.args, { commands: ['ls'] });
    await decide(hub, owner, shell, { type: 'approve', optionId: 'approve' });
    const [hosted] = await open(program);
    deepStrictEqual([hosted.actions?.[0]?.name, hosted.actions?.[0]?.args], ['ask', { q: 1 }]);
    await answer(hub, owner, hosted, { outcome: 'declined' });
    const { ran, said = '' } = await told(program);
    deepStrictEqual(ran, ['old', 'third']);
    const [first, rejected, third, shelled, declined] = said.split(' | ');
    deepStrictEqual(
      [first, rejected?.includes('Keep it.'), third, shelled, declined?.includes('declined')],
      ['Deleted old.', true, 'Deleted third.', 'ran it', true],
    );
  });

  test('[ASK5] OpenAI Agents: a killed run goes on from its file with the same question, and a later run asks anew', async () => {
    const file = join(folder, 'run.json');
    const turns = [call('call_0', 'old'), call('call_0', 'again')].map((one) => JSON.stringify([one]));
    const first = start(OPENAI, file, ...turns);
    const [inquiry] = await open(first);
    await first.end('SIGKILL');
    const second = start(OPENAI, file, ...turns);
    await decide(hub, owner, inquiry, { type: 'approve', optionId: 'approve' });
    const [next] = await open(second);
    await decide(hub, owner, next, { type: 'reject', optionId: 'reject' });
    deepStrictEqual((await told(second)).ran, ['old']);
    const third = start(OPENAI, file, turns[0]!);
    const [later] = await open(third);
    await decide(hub, owner, later, { type: 'reject', optionId: 'reject' });
    deepStrictEqual([(await told(third)).ran, new Set([inquiry.id, next.id, later.id]).size], [[], 3]);
    await nothingAsked(hub, owner);
  });

  for (const [name, [before, behind]] of Object.entries(AROUND))
    for (const type of ['approve', 'reject'] as const)
      test(`[DIA1] the guide's ${name}: ${type}`, async () => {
        const program = start(BLOCK, before!, snippet(`infra/${name}`), behind!);
        const [inquiry] = await open(program);
        await decide(hub, owner, inquiry, { type, ...(inquiry.actions?.[0]?.options ? { optionId: type } : {}) });
        deepStrictEqual((await told(program)).ran, type === 'approve' ? ['old'] : []);
      });

  // An approval of the day before, as a run meets it that was cut off; a hub that says so is played here.
  const ENDED = '2026-01-01T00:00:00.000Z';
  const approved = { outcome: 'answered', answer: { decisions: [{ type: 'approve' }] }, text: 'Approved.' };
  const yes = { decisions: [{ callId: 'call_0', approve: true, validUntil: ENDED }] };
  const cases: [name: string, program: string, args: string[], reply: object, header: boolean][] = [
    ['LangChain, sync', LANGCHAIN, ['sync', '', 'old'], approved, true],
    ['LangChain, async', LANGCHAIN, ['async', '', 'old'], approved, true],
    ['OpenAI Agents, as it is read', OPENAI, ['', JSON.stringify([call('call_0', 'old')])], yes, true],
    ['OpenAI Agents, while others are decided', OPENAI, ['', JSON.stringify([call('call_0', 'old')])], yes, false],
  ];
  for (const [name, code, args, reply, header] of cases)
    test(`[APR1] ${name}: an approval that has ended runs nothing, and the model is told`, async (t) => {
      const server = createServer((_request, response) => {
        if (header) response.setHeader('beckon-valid-until', ENDED);
        response.end(JSON.stringify(reply));
      }).listen(0, '127.0.0.1');
      t.after(() => server.close());
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { ran, said = '' } = await told(new Program(['python3', '-c', code, ...args], { ...env, BECKON_URL: url }));
      deepStrictEqual([ran, said.includes(`The approval ended at ${ENDED}`)], [[], true]);
    });
});
