import { deepStrictEqual, match } from 'node:assert/strict';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { Problem } from '#shared/problem.ts';
import { call, must } from '../hub/call.ts';
import { clientOf, inputFor, startLangGraphServer } from './langgraph.ts';
import { DECIDED, UNDECIDED } from './outcomes.ts';
import { openPeople, placeFor, start, type People } from './scene.ts';

const { expiry = {}, withdrawal = {} } = UNDECIDED;

/** What the agent says in the end: what its tool replied, or why it did not run. */
const SAID: Record<string, RegExp> = {
  approve: /^It ran\.$/m,
  edit: /^It ran\.$/m,
  reject: /^Archive first\.$/m,
  decline: /The person declined to answer this\./,
  expiry: /Nobody decided: this is neither a yes nor a no\./,
  withdrawal: /taken back before anybody answered/,
};

type Thread = { status: string; interrupts: Record<string, object[]>; values: object };

describe('LangGraph Server with the client of the guide', { timeout: 600_000 }, () => {
  let people: People;
  let client: string;
  let server: Awaited<ReturnType<typeof startLangGraphServer>>;
  before(async () => {
    people = await openPeople();
    client = await (await fetch(`${people.hub.url}/client/beckon.mjs`)).text();
    server = await startLangGraphServer(people);
  });
  after(async () => {
    const strayed = server?.strayed();
    await server?.remove();
    await people?.hub.remove();
    deepStrictEqual(strayed, []);
  });

  for (const [name, { ran, does, ...task }] of Object.entries({ ...DECIDED, expiry, withdrawal }))
    test(`[DIA1] ${name}`, async (t) => {
      const run = await start(t, people, clientOf(server, client), { calls: [], ...task });
      await does?.(run);
      const { out, err } = await run.program.ended;
      deepStrictEqual([run.ran(), err, run.strayed()], [ran, '', []]);
      match(out, SAID[name] ?? /^$/);
    });

  /** A thread whose run is interrupted, over the server's HTTP API alone; `result`: what that run replied. */
  async function interrupted(t: TestContext, graph: string) {
    const at = await placeFor(people, { calls: [] });
    t.after(() => at.leave());
    const { thread_id } = await must<{ thread_id: string }>(server, 'POST /threads', { body: {} });
    const path = `/threads/${thread_id}`;
    const goOn = (more: object) =>
      call<unknown>(server, `POST ${path}/runs/wait`, { body: { assistant_id: graph, ...more } });
    const { body: result } = await goOn({ input: inputFor(at.place.folder) });
    return { ...at, token: at.place.hub.key, result, goOn, thread: () => must<Thread>(server, `GET ${path}`) };
  }

  test('[DIA1] the interrupts of a thread are asked, and the reply is the command of its next run, over a restart', async (t) => {
    const { token, open, answer, ran, goOn, thread } = await interrupted(t, 'agent');
    const body = Object.values((await thread()).interrupts).flat();
    const { ask } = await must<{ ask: string }>(people.hub, 'POST /v1/ask/langgraph?wait=0', { token, body });
    await server.restart();
    const [inquiry] = await open();
    await answer(inquiry!, { decisions: [{ type: 'approve' }] });
    const command = await must(people.hub, `GET /v1/asks/${ask}`, { token });
    deepStrictEqual([ran(), (await thread()).status], [undefined, 'interrupted']);
    const { body: result } = await goOn({ command });
    deepStrictEqual([ran(), (await thread()).status], ['asked', 'idle']);
    deepStrictEqual((await goOn({ command })).body, result);
  });

  test('[RES4] a question that nobody answers leaves its thread as it is, and is answered when it is asked again', async (t) => {
    const { token, open, answer, result, goOn, thread } = await interrupted(t, 'question');
    const route = 'POST /v1/ask/langgraph';
    const { body: problem } = await call<Problem>(people.hub, `${route}?deadline=1`, { token, body: result });
    deepStrictEqual([problem.code, (await thread()).status], ['ask.unanswered', 'interrupted']);
    // Whoever takes it for a command gets an error, and loses nothing but the list of interrupts.
    match(JSON.stringify((await goOn({ command: problem })).body), /"__error__".*EmptyInputError/);
    const { ask } = await must<{ ask: string }>(people.hub, `${route}?wait=0`, { token, body: result });
    const [inquiry] = await open();
    await answer(inquiry!, { text: 'old' });
    const command = await must(people.hub, `GET /v1/asks/${ask}`, { token });
    deepStrictEqual((await goOn({ command })).body, { table: 'old' });
  });
});
