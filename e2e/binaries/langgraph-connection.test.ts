import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { AnswerBody } from '#shared/answer.ts';
import type { NewConnectionReply } from '#shared/connections/connection.ts';
import type { Contact } from '#shared/connections/contact.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { all, must } from '../hub/call.ts';
import { until } from '../hub/until.ts';
import { startLangGraphServer } from './langgraph.ts';
import { openPeople, type People } from './scene.ts';

type Thread = { status: string; values: object };

describe('LangGraph Server behind a connection', { timeout: 600_000 }, () => {
  let people: People;
  let server: Awaited<ReturnType<typeof startLangGraphServer>>;
  let made: NewConnectionReply;
  before(async () => {
    people = await openPeople();
    server = await startLangGraphServer(people);
  });
  beforeEach(async () => {
    made = await owner('POST /v1/connections', { name: 'Graphs', kind: 'langgraph', baseUrl: server.url });
  });
  after(async () => {
    const strayed = server?.strayed();
    await server?.remove();
    await people?.hub.remove();
    deepStrictEqual(strayed, []);
  });

  const owner = <T>(route: string, body?: object): Promise<T> =>
    must(people.hub, route, { token: people.owner.token, ...(body ? { body } : {}) });
  const open = (): Promise<Inquiry[]> => all(people.hub, '/v1/inbox', people.owner.token);
  const read = ({ id }: Inquiry): Promise<Inquiry> => owner(`GET /v1/inquiries/${id}`);
  const answer = ({ id, digest }: Inquiry, body: AnswerBody) =>
    owner(`POST /v1/inquiries/${id}/answer`, { digest, ...body });
  const asked = (prompt: string): Promise<Inquiry> =>
    until(`"${prompt}"`, async () => (await open()).find((one) => one.prompt === prompt));
  const moved = () => owner(`PATCH /v1/connections/${made.connection.id}`, { baseUrl: server.url });
  const remove = () => owner(`DELETE /v1/connections/${made.connection.id}`);

  /** A thread whose first run names the connection's address as its webhook, and nothing else. */
  async function begun(graph: string) {
    const { thread_id } = await must<{ thread_id: string }>(server, 'POST /threads', { body: {} });
    const path = `/threads/${thread_id}`;
    const run = (more: object) => must(server, `POST ${path}/runs`, { body: { assistant_id: graph, ...more } });
    await run({ input: {}, webhook: made.url, context: { team: 'ops' } });
    const thread = () => must<Thread>(server, `GET ${path}`);
    // What a hub had begun to send when it was killed is its own for 30 s.
    const ended = () => until('the thread to end', async () => (await thread()).status === 'idle' && thread(), 180_000);
    const resume = async (value: string) => {
      const { tasks } = await must<{ tasks: { interrupts: { id: string }[] }[] }>(server, `GET ${path}/state`);
      const [interrupt] = tasks.flatMap(({ interrupts }) => interrupts);
      await run({ command: { resume: { [interrupt?.id ?? '']: value } }, webhook: made.url });
    };
    return { thread, ended, resume };
  }

  test('[DIA1] a person answers what a thread waits for, once and again, and its run goes on as it began', async () => {
    const { ended } = await begun('twice');
    await answer(await asked('Which table?'), { text: 'old' });
    await answer(await asked('Are you sure?'), { text: 'yes' });
    deepStrictEqual((await ended()).values, { answers: ['old', 'yes', { team: 'ops' }] });
    deepStrictEqual(await open(), []);
    await remove();
  });

  test('[ASK1] a question and its answer survive a restart of the server and of the hub', async () => {
    const { ended } = await begun('question');
    const inquiry = await asked('Which table?');
    await people.hub.kill();
    await people.hub.start();
    await server.stop();
    await answer(inquiry, { text: 'old' });
    await people.hub.kill();
    await server.restart();
    await people.hub.start();
    await moved();
    deepStrictEqual((await ended()).values, { table: 'old' });
    await remove();
  });

  test('[RES6] an answer to a question that was resumed elsewhere meanwhile is not taken for one to the next', async () => {
    const { ended, resume } = await begun('twice');
    const first = await asked('Which table?');
    await server.stop();
    await answer(first, { text: 'old' });
    await server.restart();
    await resume('new');
    await moved();
    const second = await asked('Are you sure?');
    const told = await until('the hub to find out', async () => {
      const { items } = await owner<{ items: Contact[] }>(`GET /v1/connections/${made.connection.id}/contacts`);
      const answers = items.flatMap(({ inquiries }) => inquiries).filter(({ id }) => id === first.id);
      return answers.find((one) => one.answer?.state === 'gone')?.answer;
    });
    strictEqual(told.status, 409);
    strictEqual((await read(second)).resolution, undefined);
    await answer(second, { text: 'yes' });
    deepStrictEqual((await ended()).values, { answers: ['new', 'yes', { team: 'ops' }] });
    await remove();
  });

  test('[WDR1] what is resumed elsewhere is withdrawn', async () => {
    const { ended, resume } = await begun('question');
    const inquiry = await asked('Which table?');
    await resume('new');
    const { resolution } = await until('the question to go', async () => {
      const one = await read(inquiry);
      return one.resolution && one;
    });
    deepStrictEqual(
      [resolution?.outcome, resolution?.message, (await ended()).values],
      ['withdrawn', 'its thread was resumed elsewhere', { table: 'new' }],
    );
    await remove();
  });
});
