import { deepStrictEqual, ok } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Problem } from '#shared/problem.ts';
import { call, must } from '../hub/call.ts';
import { addSource } from '../hub/people.ts';
import { until } from '../hub/until.ts';
import { openScene, type Scene } from './scene.ts';

/** What everybody else may have to wait for one request of an attacker, on a busy machine. */
const STALL_MS = 2_000;
const HANGS = `${'a'.repeat(40)}!`;
const PATTERNS = ['^(a+)+$', '^(?=(a+)+$)', '^(a+)+\\1$'];

describe('patterns that backtrack for ever', { timeout: 120_000 }, () => {
  let scene: Scene;
  before(async () => {
    scene = await openScene('SQLite');
  });
  after(() => scene?.remove());

  const forms = (pattern: string) => {
    const questions = Array.from({ length: 20 }, (_, at) => ({
      id: `q${at}`,
      prompt: 'How?',
      type: 'form',
      schema: { type: 'object', properties: { a: { type: 'string', pattern } } },
    }));
    const values = Object.fromEntries(questions.map(({ id }) => [id, { a: HANGS }]));
    return { questions, suggested: { values }, onExpire: 'suggested', deadline: 5 };
  };

  /** Runs the work; the result is how long the neighbour had to wait for one reply meanwhile, at most. */
  async function slowestReplyDuring(work: Promise<unknown>): Promise<number> {
    let over = false;
    let slowest = 0;
    const done = work.finally(() => (over = true));
    while (!over) {
      const since = performance.now();
      await must(scene.hub, 'GET /v1/inquiries', { token: scene.source.key });
      slowest = Math.max(slowest, performance.now() - since);
    }
    await done;
    return slowest;
  }

  test('[RES1] stall nobody when they are asked, answered or expire', async () => {
    const attacker = await addSource(scene.hub, scene.owner, 'Attacker');
    const asking = PATTERNS.map((pattern) =>
      call<Problem & { id: string }>(scene.hub, 'POST /v1/inquiries', { token: attacker.key, body: forms(pattern) }),
    );
    const asked = await slowestReplyDuring(Promise.all(asking));
    ok(asked < STALL_MS, `asking stalled everybody for ${Math.round(asked)} ms`);
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
    const form = await call<{ id: string }>(scene.hub, 'POST /v1/inquiries', {
      token: attacker.key,
      body: { questions: [{ id: 'q', prompt: 'How?', type: 'form', schema }] },
    });
    const answers = Array.from({ length: 5 }, () => scene.answer(form.body, { values: { q: { a: HANGS } } } as object));
    const answered = await slowestReplyDuring(Promise.all(answers));
    ok(answered < STALL_MS, `answering stalled everybody for ${Math.round(answered)} ms`);
    const expiring = until('their deadlines', async () => {
      const { items } = await must<{ items: { deadlineAt: string; resolution?: object }[] }>(
        scene.hub,
        'GET /v1/inquiries?limit=100',
        { token: attacker.key },
      );
      return items.every(({ deadlineAt, resolution }) => resolution || Date.parse(deadlineAt) > Date.now() + 60_000);
    });
    const expired = await slowestReplyDuring(expiring);
    ok(expired < STALL_MS, `expiring stalled everybody for ${Math.round(expired)} ms`);
  });

  test('[RES1] cost nobody an answer that was sent before its deadline', async () => {
    const attacker = await addSource(scene.hub, scene.owner, 'Second attacker');
    const victim = await scene.ask({ prompt: 'In time?', deadline: 4 });
    const attack = [1, 2, 3, 4].map(() =>
      call(scene.hub, 'POST /v1/inquiries', { token: attacker.key, body: forms('^(a+)+$') }),
    );
    const { status, body } = await scene.answer(victim);
    deepStrictEqual([status, body.won], [200, true]);
    await Promise.all(attack);
  });
});
