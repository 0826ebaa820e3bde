import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { compileFunction } from 'node:vm';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { must } from './hub/call.ts';
import { startEndpoint } from './hub/endpoint.ts';
import { startHub, type Hub } from './hub/hub.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { until } from './hub/until.ts';

const GUIDE = readFileSync(new URL('../infra/recipes.md', import.meta.url), 'utf8');
const RESUME = 'https://n8n.example.com/webhook-waiting/7?signature=abc';

/** The blocks of code in this language under this heading. */
function blocks(heading: string, language: string): string[] {
  const [, section = ''] = GUIDE.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 'gs'))].map(([, code = '']) => code);
}

/** A request as n8n would send it. */
const filled = (json = ''): object =>
  JSON.parse(json.replaceAll('{{ $execution.resumeUrl }}', RESUME).replaceAll(/\{\{ .*? \}\}/g, '42')) as object;

type Told = { type: string; timestamp: string; data: Inquiry };

describe('the recipes of the guide', { timeout: 60_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let source: NewSourceReply;
  let answers: Awaited<ReturnType<typeof startEndpoint>>;

  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
    answers = await startEndpoint();
    // It stands for each engine: a callback of an ask never reaches loopback, and both are told the same.
    source = await addSource(hub, owner, 'Flows', { webhookUrl: answers.url });
  });
  after(async () => {
    await hub?.remove();
    await answers?.close();
  });

  const askAsSource = (body: object) => must<Inquiry>(hub, 'POST /v1/inquiries', { token: source.key, body });
  const asked = (key: string) =>
    until(`${key} is asked`, async () => {
      const { items } = await must<{ items: Inquiry[] }>(hub, 'GET /v1/inquiries', { token: source.key });
      return items.find((one) => one.key === key);
    });
  const answer = ({ id, digest }: Inquiry, body: object) =>
    must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { digest, ...body } });
  const decide = async (key: string, type: 'approve' | 'reject') => answer(await asked(key), { decisions: [{ type }] });
  const told = (key: string) =>
    until(`the answer to ${key} is told`, () =>
      answers.got.map(({ body }) => JSON.parse(body) as Told).find(({ data }) => data.key === key && data.resolution),
    );

  /** What a block in JavaScript exports; `given` stands for what it imports. */
  function load<T>(code = '', given: object): T {
    const names = [...code.matchAll(/^export (?:async )?(?:function|const) (\w+)/gm)].map(([, name]) => name);
    const own = code.replaceAll(/^import .*;$/gm, '').replaceAll(/^export /gm, '');
    const text = `${own.replaceAll('https://beckon.example.com', hub.url)}\nreturn { ${names.join(', ')} };`;
    return compileFunction(text, Object.keys(given))(...(Object.values(given) as unknown[])) as T;
  }
  type Helpers = { ask(body: object): Promise<Inquiry>; resolutionOf(inquiry: Inquiry): Promise<object> };
  const helpers = () => {
    const env = { BECKON_KEY: source.key };
    return load<Helpers>(blocks('What all have in common', 'js')[0], { process: { env } });
  };

  /** Runs the guide's Python under this heading, between stand-ins and a last part; what that prints is JSON. */
  async function python(heading: string, before: string, last: string): Promise<unknown> {
    const own = [blocks('What all have in common', 'python')[0], blocks(heading, 'python')[0]].join('\n');
    const program = [before, own.replaceAll('https://beckon.example.com', hub.url), last].join('\n');
    const env = { ...process.env, BECKON_KEY: source.key };
    const { stdout } = await promisify(execFile)('python3', ['-c', program], { env });
    return JSON.parse(stdout);
  }

  test('[DLV1] what n8n posts is asked, and the answer is told as the guide quotes it', async () => {
    const [body] = blocks('n8n', 'json').map(filled) as [{ key: string }];
    strictEqual((await askAsSource(body)).callback?.url, RESUME);
    await decide(body.key, 'approve');
    const { type, timestamp, data } = await told(body.key);
    const [quoted] = blocks('What all have in common', 'json').map((json) => JSON.parse(json) as Told);
    const { by, ...resolution } = data.resolution!;
    const { id, title } = data;
    const correlation = quoted!.data.correlation;
    ok(by.kind === 'person' && /^inq_[0-9a-z]{26}$/.test(quoted!.data.id));
    // No call waited for it, so it holds for 7 days.
    const validUntil = new Date(Date.parse(resolution.at) + 7 * 86_400_000).toISOString();
    const now = { ...quoted!.data.resolution, at: resolution.at, validUntil };
    deepStrictEqual(
      { type, timestamp, data: { id, title, correlation, resolution } },
      { ...quoted, timestamp, data: { ...quoted!.data, id, resolution: now } },
    );
    const own = await askAsSource({ prompt: 'Echo', correlation });
    deepStrictEqual(own.correlation, correlation);
  });

  test('[DLV1] what n8n posts to an inbound address is asked, told with what it echoes, and taken back', async () => {
    const body = { name: 'n8n', kind: 'inbound', answerUrl: answers.url };
    const { url } = await must<NewConnectionReply>(hub, 'POST /v1/connections', { token: owner.token, body });
    const [ask, withdraw] = blocks('n8n over an inbound address', 'json').map(filled);
    const post = async (message: object | undefined) => {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
      const { id: _id, deadlineAt: _at, ...said } = (await reply.json()) as Record<string, unknown>;
      return [reply.status, said];
    };
    const { key } = ask as { key: string };
    deepStrictEqual(await post(ask), [201, { key, state: 'open' }]);
    deepStrictEqual(await post(withdraw), [200, { key, state: 'withdrawn' }]);
    const { data } = await told(key);
    deepStrictEqual(
      [data.resolution?.outcome, data.resolution?.message, data.correlation],
      ['withdrawn', 'The order was cancelled.', { resumeUrl: RESUME }],
    );
  });

  test('what the guide to connections posts is asked and taken back', async () => {
    const guide = readFileSync(new URL('../infra/connect-your-agent.md', import.meta.url), 'utf8');
    const [, section = ''] = guide.split('\n## Anything that can post\n');
    const messages = [...section.matchAll(/^curl "\$ADDRESS".* -d '(.*)'$/gm)].map(([, json]) => json);
    const body = { name: 'Any', kind: 'inbound', answerUrl: answers.url };
    const { url } = await must<NewConnectionReply>(hub, 'POST /v1/connections', { token: owner.token, body });
    const replies = [];
    for (const message of messages) {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(url, { method: 'POST', headers, body: message ?? '' });
      replies.push([reply.status, ((await reply.json()) as { state: string }).state]);
    }
    deepStrictEqual(replies, [
      [201, 'open'],
      [200, 'withdrawn'],
    ]);
  });

  test('Trigger.dev goes on with what the token is told, and reads what it was not', async () => {
    const tokens: object[] = [];
    const waits = (key: string, timedOut: boolean) => ({
      async createToken(options: object) {
        tokens.push(options);
        return { url: 'https://api.trigger.example/callback' };
      },
      forToken: async () => (timedOut ? { ok: false } : { ok: true, output: await told(key) }),
    });
    for (const [key, decision, timedOut] of [
      ['run_1', 'approve', false],
      ['run_2', 'reject', true],
    ] as const) {
      const given = { ...helpers(), task: (one: unknown) => one, wait: waits(key, timedOut) };
      type Task = { deploy: { run(payload: object, more: object): Promise<boolean> } };
      const { deploy } = load<Task>(blocks('Trigger.dev', 'js')[0], given);
      const done = deploy.run({ build: '42' }, { ctx: { run: { id: key } } });
      await decide(key, decision);
      strictEqual(await done, decision === 'approve');
    }
    deepStrictEqual(
      tokens,
      ['run_1', 'run_2'].map((idempotencyKey) => ({ timeout: '61m', idempotencyKey })),
    );
  });

  test('Inngest goes on with an event, or reads the inquiry when none came', async () => {
    const [, transform = ''] = /`(function transform.*?)`/s.exec(GUIDE) ?? [];
    const event = compileFunction(`${transform}; return transform(evt);`, ['evt']);
    const given = {
      ...helpers(),
      process: { env: { INNGEST_WEBHOOK_URL: 'https://inn.example/e/1' } },
      inngest: { createFunction: (_options: object, run: unknown) => run },
    };
    type Inngest = { deploy(at: object): Promise<boolean> };
    const { deploy } = load<Inngest>(blocks('Inngest', 'js')[0], given);
    for (const [runId, decision] of [
      ['inngest-1', 'approve'],
      ['inngest-2', null],
    ] as const) {
      const step = {
        run: async (_id: string, work: () => Promise<unknown>) => work(),
        async waitForEvent(_id: string, options: { event: string; if: string }) {
          const one = await asked(runId);
          strictEqual(options.if, `async.data.id == "${one.id}"`);
          if (decision === null) return null;
          const { name, data } = event(await told(runId)) as { name: string; data: Inquiry };
          strictEqual(name, options.event);
          return { data };
        },
      };
      const done = deploy({ event: { data: { build: '42' } }, runId, step });
      await decide(runId, decision ?? 'reject');
      strictEqual(await done, decision === 'approve');
    }
  });

  test('Temporal is signalled by a receiver that checks the signature', async () => {
    const [workflow, receiver] = blocks('Temporal', 'js');
    let handler = (_inquiry: Inquiry): void => {};
    let awake = (): void => {};
    const given = {
      workflowInfo: () => ({ workflowId: 'deploy-42' }),
      proxyActivities: helpers,
      defineSignal: (name: string) => name,
      setHandler: (_signal: string, own: typeof handler) => (handler = own),
      condition: () => new Promise<void>((go) => (awake = go)),
    };
    const { deploy } = load<{ deploy(build: string): Promise<boolean> }>(workflow, given);
    const done = deploy('42');
    await decide('deploy-42', 'approve');
    const { data } = await told('deploy-42');
    const hook = answers.got.find(({ body }) => body.includes(data.id) && body.includes('inquiry.resolved'));
    const { Webhook } = await import('standardwebhooks');
    const env = { BECKON_WEBHOOK_SECRET: source.webhookSecret };
    type Receiver = { receive(client: object, headers: object, body: string): Promise<void> };
    const { receive } = load<Receiver>(receiver, { Webhook, process: { env } });
    const signal = async (_name: string, inquiry: Inquiry) => {
      handler(inquiry);
      awake();
    };
    const client = { workflow: { getHandle: (id: string) => (id === 'deploy-42' ? { signal } : {}) } };
    await receive(client, hook!.headers, hook!.body);
    strictEqual(await done, true);
    const forged = receive(client, hook!.headers, `${hook!.body} `).catch((error: Error) => error.name);
    strictEqual(await forged, 'WebhookVerificationError');
  });

  test('Mastra suspends its step and resumes it with the decision', async () => {
    type Step = {
      execute(at: object): Promise<unknown>;
      receive(mastra: object, told: Told): Promise<void>;
    };
    const { execute, receive } = load<Step>(blocks('Mastra', 'js')[0], {
      ...helpers(),
      approved: load<{ approved: unknown }>(blocks('What all have in common', 'js')[0], { process }).approved,
    });
    strictEqual(await execute({ inputData: { build: 42 }, runId: 'm-1', suspend: () => 'suspended' }), 'suspended');
    await decide('m-1', 'reject');
    const resumed: unknown[] = [];
    const createRun = async ({ runId }: { runId: string }) => ({
      resume: async (options: object) => void resumed.push(runId, options),
    });
    await receive({ getWorkflow: () => ({ createRun }) }, await told('m-1'));
    deepStrictEqual(resumed, ['m-1', { step: 'approve', resumeData: { approved: false } }]);
    deepStrictEqual(await execute({ resumeData: { approved: false } }), { approved: false });
  });

  test('a flow of CrewAI pauses, and is resumed with what was chosen', async () => {
    const standIn = `
import sys, types, datetime
flow = types.ModuleType("crewai.flow")
class HumanFeedbackPending(Exception):
    def __init__(self, context, callback_info=None):
        self.callback_info = callback_info
flow.HumanFeedbackPending, flow.HumanFeedbackProvider = HumanFeedbackPending, object
sys.modules.update({"crewai": types.ModuleType("crewai"), "crewai.flow": flow})`;
    const asks = `
context = types.SimpleNamespace(flow_id="f-1", method_name="review", message="Publish?", method_output="A draft",
    emit=["approved", "rejected"], requested_at=datetime.datetime(2026, 11, 23))
try:
    People().request_feedback(context, None)
except HumanFeedbackPending as pending:
    print(json.dumps(pending.callback_info))`;
    deepStrictEqual(await python('CrewAI', standIn, asks), { flow: 'f-1' });
    const key = 'f-1 review 2026-11-23T00:00:00';
    await answer(await asked(key), { values: { outcome: 'approved' } });
    const resumes = `
heard = []
class Review:
    @classmethod
    def from_pending(cls, flow_id):
        return types.SimpleNamespace(resume=lambda text: heard.extend([flow_id, text]))
told = json.loads(${JSON.stringify(JSON.stringify(await told(key)))})
receive(Review, told)
told["data"]["resolution"]["outcome"] = "expired"
receive(Review, told)
print(json.dumps(heard))`;
    deepStrictEqual(await python('CrewAI', standIn, resumes), ['f-1', 'approved']);
  });

  test('a long-running tool of Google ADK asks, and its call is answered in its session', async () => {
    const standIn = `
import sys, types as kinds, asyncio
tools, genai = kinds.ModuleType("google.adk.tools"), kinds.ModuleType("google.genai")
tools.LongRunningFunctionTool = lambda func: func
genai.types = kinds.SimpleNamespace(**{name: dict for name in ["Part", "Content", "FunctionResponse"]})
sys.modules.update({"google.adk.tools": tools, "google.genai": genai})`;
    const asks = `
session = kinds.SimpleNamespace(id="s-1", user_id="ada")
context = kinds.SimpleNamespace(session=session, function_call_id="call-1")
print(json.dumps(asyncio.run(tool("42", context))))`;
    const pending = (await python('Google ADK', standIn, asks)) as { status: string; inquiry: string };
    deepStrictEqual(pending, { status: 'pending', inquiry: (await asked('s-1 call-1')).id });
    await decide('s-1 call-1', 'approve');
    const resumes = `
class Runner:
    async def run_async(self, **sent):
        yield json.dumps(sent)
asyncio.run(receive(Runner(), json.loads(${JSON.stringify(JSON.stringify(await told('s-1 call-1')))})))`;
    const response = { status: 'answered', answer: 'Approved: `deploy` `42`.' };
    const part = { function_response: { id: 'call-1', name: 'deploy', response } };
    deepStrictEqual(await python('Google ADK', standIn, resumes), {
      user_id: 'ada',
      session_id: 's-1',
      new_message: { role: 'user', parts: [part] },
    });
  });
});
