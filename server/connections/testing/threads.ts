import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setImmediate as turn } from 'node:timers/promises';
import type { TestContext } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import { dispatcherFor } from '../../deliveries/testing/scene.ts';
import { DIALECTS } from '../../dialects/all/dialects.ts';
import { composeBy } from '../../dialects/open.ts';
import { listForSource } from '../../inquiries/read.ts';
import { createLog } from '../../platform/log.ts';
import { serve } from '../../platform/testing/listen.ts';
import { openScene } from './scene.ts';

type Run = { run_id: string; created_at: string; metadata?: object; kwargs: object };
type Task = { interrupts: object[]; result?: unknown };
export type Thread = ReturnType<typeof createThread>;

function createThread(server: { runs: object[] }) {
  let changed = Date.now();
  const own: Run[] = [];
  const first = randomUUID();
  const thread = {
    id: randomUUID(),
    status: 'idle',
    checkpoint: randomUUID(),
    tasks: [] as Task[],
    runs: own,
    get updated_at() {
      return new Date(changed).toISOString();
    },
    /** Whatever happened to it, a change of its metadata too, as the server says it. */
    touch: () => void (changed += 1),
    asks(...interrupts: object[]) {
      thread.waits(...interrupts.map((interrupt) => ({ interrupts: [interrupt] })));
    },
    waits(...tasks: Task[]) {
      if (own.length === 0)
        own.push({
          run_id: first,
          created_at: thread.updated_at,
          kwargs: { webhook: 'https://graph.example/done', context: { team: 1 } },
        });
      Object.assign(thread, { status: 'interrupted', tasks });
      thread.touch();
    },
    state: () => ({
      values: {},
      checkpoint: { checkpoint_id: thread.checkpoint },
      metadata: { run_id: first },
      tasks: thread.tasks,
    }),
    begin(run: object) {
      thread.touch();
      own.push({ run_id: randomUUID(), created_at: thread.updated_at, kwargs: {}, ...run });
      server.runs.push(run);
      thread.status = 'busy';
    },
  };
  return thread;
}

type Body = { offset?: number; limit?: number };

/** A LangGraph Server as far as the hub knows it; `before` may answer a call in its place. */
async function langGraphServer(t: TestContext) {
  const all = new Map<string, Thread>();
  const server = {
    all,
    url: '',
    runs: [] as object[],
    calls: [] as string[],
    headers: {} as Record<string, unknown>,
    before: (_call: string, _response: ServerResponse): unknown => undefined,
  };
  const base = await serve(t, (request, response) => {
    void text(request).then(async (body) => {
      const call = `${request.method} ${request.url}`;
      server.calls.push(call);
      server.headers = request.headers;
      if (await server.before(call, response)) return;
      const reply = replyTo(all, call, body === '' ? {} : (JSON.parse(body) as Body));
      const status = typeof reply === 'number' ? reply : 200;
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    });
  });
  server.url = `${base}/api`;
  return server;
}

function replyTo(all: Map<string, Thread>, call: string, body: Body): unknown {
  if (call === 'POST /api/threads/search') {
    const { offset = 0, limit = 10 } = body;
    const waiting = [...all.values()].filter(({ status }) => status === 'interrupted').slice(offset, offset + limit);
    return waiting.map(({ id, updated_at }) => ({ thread_id: id, updated_at }));
  }
  const [, method, id = '', rest = ''] = /^(\w+) \/api\/threads\/([^/]+)(.*)$/.exec(call) ?? [];
  const thread = all.get(id);
  if (!thread) return 404;
  const { status, updated_at } = thread;
  if (rest === '') return { status, updated_at, metadata: { assistant_id: 'a1', graph_id: 'agent' } };
  if (rest === '/state') return thread.state();
  if (rest === '/runs' && method === 'POST') {
    if (status === 'busy') return 409;
    thread.begin(body);
    return {};
  }
  if (rest.startsWith('/runs?')) {
    const [limit, offset] = ['limit', 'offset'].map((name) => Number(new URLSearchParams(rest.slice(6)).get(name)));
    // As the server in JavaScript does: oldest first, and up to the limit, wherever it begins.
    return thread.runs.slice(offset, limit);
  }
  return thread.runs.find(({ run_id }) => rest === `/runs/${run_id}`) ?? 404;
}

/** A connection to a LangGraph Server whose threads the test writes. */
export async function threads(t: TestContext, databaseUrl?: string) {
  const scene = await openScene(t, undefined, databaseUrl);
  const { place, database } = scene;
  place.inquiries.composeReply = composeBy(DIALECTS, createLog('silent'));
  const server = await langGraphServer(t);
  const dispatcher = dispatcherFor(database, { resume: scene.langgraph.resume });
  t.after(() => dispatcher.stop());
  const asked = {
    name: 'Graph',
    kind: 'langgraph',
    baseUrl: server.url,
    apiKey: 'lsv2-1',
    headers: { 'x-team': 'ops' },
  };
  const made = await scene.connect(asked);
  const inquiries = async (): Promise<Inquiry[]> =>
    (await listForSource(database.read, made.connection.id, { limit: 100 })).items.toReversed();
  return {
    ...scene,
    ...made,
    server,
    dispatcher,
    inquiries,
    thread(): Thread {
      const thread = createThread(server);
      server.all.set(thread.id, thread);
      return thread;
    },
    forget: ({ id }: Thread) => void server.all.delete(id),
    /** What the server says at the end of each run. */
    hint: async (body = '{"thread_id":"../../x","status":"success"}'): Promise<number> =>
      (await fetch(made.url, { method: 'POST', headers: { 'content-type': 'text/plain;charset=UTF-8' }, body })).status,
    /** A look that begins now, once it has ended. */
    look: () => scene.langgraph.lookNow(made.connection.id),
    async until(fits: (all: Inquiry[]) => boolean): Promise<Inquiry[]> {
      const giveUpAt = performance.now() + 20_000;
      for (;;) {
        const found = await inquiries();
        if (fits(found)) return found;
        if (performance.now() > giveUpAt) throw new Error(`no such inquiries: ${JSON.stringify(found)}`);
        await turn();
      }
    },
    /** The outcome of each delivery, with what its attempts met. */
    async deliveries() {
      const rows = await database.read.selectFrom('deliveries').select(['id', 'state']).orderBy('id').execute();
      const attempts = await database.read
        .selectFrom('delivery_attempts')
        .select(['delivery_id', 'status', 'error'])
        .orderBy('number')
        .execute();
      return rows.map(({ id, state }) => [
        state,
        ...attempts.filter((one) => one.delivery_id === id).map(({ status, error }) => error ?? status),
      ]);
    },
  };
}
