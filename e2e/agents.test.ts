import { deepStrictEqual, match } from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Decision } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { all, must } from './hub/call.ts';
import { environment, startHub, type Hub } from './hub/hub.ts';
import { addSource, ownerDevice, type Device } from './hub/people.ts';
import { Program } from './hub/process.ts';
import { until } from './hub/until.ts';
import { installed } from './hub/installed.ts';

const ONE = [{ table: 'old' }];
const TWO = [{ table: 'old' }, { table: 'new' }];
const plain = (type: 'approve' | 'reject'): Decision => ({ type });
const own = (type: 'approve' | 'reject'): Decision => ({ type, optionId: type });

describe('examples of agents, each on its real package with a scripted model', { timeout: 240_000 }, () => {
  let hub: Hub;
  let owner: Device;
  let key: string;
  const copies = new Map<string, string>();

  before(async () => {
    hub = await startHub();
    owner = await ownerDevice(hub);
    ({ key } = await addSource(hub, owner, 'Agents'));
    for (const name of ['langchain', 'langgraph', 'openai', 'ai-sdk']) copies.set(name, await installed(name, hub));
  });
  after(async () => {
    for (const copy of copies.values()) rmSync(copy, { recursive: true, force: true });
    await hub?.remove();
  });

  /** Runs an example to its end; people decide once it has asked, and nothing has run before. */
  async function runs(
    name: string,
    script: object[],
    answer?: Decision[] | string,
  ): Promise<{ ran: string[]; said: string; err: string }> {
    const copy = copies.get(name) ?? '';
    const env = environment({
      BECKON_URL: hub.url,
      BECKON_KEY: key,
      SCRIPT: JSON.stringify(script),
      // An example loads thousands of modules.
      NODE_COMPILE_CACHE: join(copy, 'node_modules/.compiled'),
      ...(answer ? {} : { DEADLINE: '1' }),
    });
    const agent = new Program([process.execPath, join(copy, 'agent.mjs')], env);
    if (answer !== undefined) {
      const { id, digest } = await until(`${name} to ask`, async () => {
        if (!agent.running) throw new Error(`${name} ended: ${agent.err}`);
        const [asked] = await all<Inquiry>(hub, '/v1/inbox', owner.token);
        return asked;
      });
      deepStrictEqual(agent.out, '');
      const body = typeof answer === 'string' ? { text: answer } : { digest, decisions: answer };
      await must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body });
    }
    const { out, err } = await agent.ended;
    const lines = out.trim().split('\n');
    const after = (word: string) =>
      lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));
    return { ran: after('ran'), said: after('said').join('\n'), err };
  }

  for (const name of ['langchain', 'openai', 'ai-sdk']) {
    const decided = name === 'openai' ? own : plain;

    test(`[DIA1] ${name}: the tool runs after an approval, and not after a rejection or without a decision`, async () => {
      deepStrictEqual(await runs(name, ONE, [decided('approve')]), { ran: ['old'], said: 'Deleted old.', err: '' });
      const rejected = await runs(name, ONE, [{ ...decided('reject'), message: 'Archive first.' } as Decision]);
      deepStrictEqual(rejected.ran, []);
      match(rejected.said, /Archive first\./);
      const expired = await runs(name, ONE);
      deepStrictEqual(expired.ran, []);
      match(expired.said, /Nobody decided/);
    });

    test(`[DIA1] ${name}: of two calls at once only the approved one runs`, async () => {
      const { ran } = await runs(name, TWO, [decided('approve'), decided('reject')]);
      // LangChain in JavaScript drops the whole turn.
      deepStrictEqual(ran, name === 'langchain' ? [] : ['old']);
    });
  }

  test('langchain: the tool runs with the arguments that a person wrote', async () => {
    deepStrictEqual(await runs('langchain', ONE, [{ type: 'edit', args: { table: 'archive' } }]), {
      ran: ['archive'],
      said: 'Deleted archive.',
      err: '',
    });
  });

  test('[RES4] langgraph: a question is answered with words, and stays interrupted where nobody answered', async () => {
    deepStrictEqual(await runs('langgraph', [], 'old'), { ran: ['old'], said: 'Deleted old.', err: '' });
    const { ran, said, err } = await runs('langgraph', []);
    deepStrictEqual([ran, said], [[], '']);
    match(err, /AskError: Nobody answered in time[^]*ask\.unanswered/);
  });

  test('openai: one approval for the rest of the run', async () => {
    const always = await runs('openai', ONE, [{ type: 'approve', optionId: 'approve-always' }]);
    deepStrictEqual(always, { ran: ['old'], said: 'Deleted old.', err: '' });
  });

  test('ai-sdk: a question is answered beside an approval', async () => {
    const script = [{ table: 'old' }, { question: 'Which colour?' }];
    const answered = await runs('ai-sdk', script, [{ type: 'respond', message: 'Blue' }, { type: 'approve' }]);
    deepStrictEqual(answered.ran, ['old']);
    match(answered.said, /Blue/);
  });
});
