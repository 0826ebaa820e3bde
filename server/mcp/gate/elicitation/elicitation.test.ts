import { deepStrictEqual, match, rejects } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Inquiry } from '#shared/inquiry.ts';
import { parseExact } from '#shared/json.ts';
import type { AppError } from '#shared/problem.ts';
import { answerInquiry } from '../../../inquiries/answer.ts';
import { sweep } from '../../../inquiries/expire.ts';
import { listForSource, readForSource } from '../../../inquiries/read.ts';
import { openPlace, type Place } from '../../../inquiries/testing/place.ts';
import type { GateConfig } from '../config/store.ts';
import { type Asker, CallCancelled, type Gates } from '../hold.ts';
import { toAsk, type Elicitation } from '../../../dialects/elicitation/elicitation.ts';
import { gatesOn } from '../testing/gates.ts';
import { answerElicitation } from '../http/elicit.ts';
import { answerRound, type Elicit, type Round, roundForPeople, takeOver } from './asking.ts';

const GATE: GateConfig = {
  name: 'shop',
  from: 'file',
  upstream: { url: 'http://shop.example/', headers: {} },
  rules: [],
  otherwise: 'annotations',
  elicitation: 'people',
  deadline: 60,
  changedAt: 0,
};
const FORM = {
  mode: 'form',
  message: 'Where shall it go?',
  requestedSchema: {
    type: 'object',
    properties: { street: { type: 'string', minLength: 3 }, floor: { type: 'integer', default: 1 } },
    required: ['street'],
  },
};
const URL_MODE = {
  mode: 'url',
  message: 'Sign in at the shop',
  url: 'https://shop.example/in?state=1',
  elicitationId: 'e',
};

type Scene = {
  gates: Gates;
  p: Place;
  elicit: (more?: Partial<Elicitation & Asker>) => ReturnType<Elicit>;
  open(): Promise<Inquiry[]>;
};

async function scene(t: TestContext): Promise<Scene> {
  const { place: p, close } = await openPlace();
  t.after(close);
  const gates = gatesOn(p, GATE);
  const open = async () => (await listForSource(p.database.read, p.sourceId, { state: 'open', limit: 9 })).items;
  const elicit: Scene['elicit'] = (more = {}) =>
    answerElicitation(gates, {
      gate: GATE,
      source: { id: p.sourceId },
      params: FORM,
      signal: new AbortController().signal,
      ...more,
    });
  return { gates, p, elicit, open };
}

async function opened({ open }: Scene, count = 1): Promise<Inquiry[]> {
  for (;;) {
    const inquiries = await open();
    if (inquiries.length === count) return inquiries.toReversed();
    await turn();
  }
}

const read = ({ p }: Scene, id: string) => readForSource(p.inquiries, id, p.sourceId);

test('a form reaches people with its schema as it was written, and what they fill in is the content', async (t) => {
  const s = await scene(t);
  const params = parseExact(JSON.stringify(FORM).replace('"default":1', '"default":1.0')) as object;
  const answered = s.elicit({ params, agent: 'Shop agent', language: 'zh-CN' });
  const [inquiry] = await opened(s);
  deepStrictEqual(
    [inquiry?.title, JSON.stringify(inquiry?.questions), inquiry?.context],
    [
      'Where shall it go?',
      `[{"id":"form","prompt":"Where shall it go?","type":"form","schema":${JSON.stringify(FORM.requestedSchema).replace('"default":1', '"default":1.0')}}]`,
      { agent: 'Shop agent', language: 'zh-CN' },
    ],
  );
  await rejects(
    answerInquiry(s.p.inquiries, s.p.phone, inquiry?.id ?? '', { values: { form: { street: 'x' } } }),
    (error: AppError) => error.faults?.[0]?.path === '/values/form/street',
  );
  await answerInquiry(s.p.inquiries, s.p.phone, inquiry?.id ?? '', {
    values: { form: { street: 'Main St', floor: 2 } },
  });
  deepStrictEqual(await answered, { action: 'accept', content: { street: 'Main St', floor: 2 } });
});

test('an elicitation without a mode is a form, as before 2025-11-25', async (t) => {
  const s = await scene(t);
  const { mode: _none, ...params } = FORM;
  const answered = s.elicit({ params });
  const [inquiry] = await opened(s);
  await answerInquiry(s.p.inquiries, s.p.phone, inquiry?.id ?? '', { outcome: 'declined' });
  deepStrictEqual(await answered, { action: 'decline' });
});

test('an address reaches people as a link that they say themselves they are done with', async (t) => {
  const s = await scene(t);
  const answered = s.elicit({ params: URL_MODE });
  const [inquiry] = await opened(s);
  deepStrictEqual(
    [inquiry?.prompt, inquiry?.link],
    ['Sign in at the shop', { url: 'https://shop.example/in?state=1', completes: 'self' }],
  );
  await answerInquiry(s.p.inquiries, s.p.phone, inquiry?.id ?? '', { answerId: 'a' });
  deepStrictEqual(await answered, { action: 'accept' });
});

test('[RES4] an elicitation that nobody answered is a cancel and never a decline', async (t) => {
  const s = await scene(t);
  const answered = s.elicit();
  await opened(s);
  s.p.pass(61_000);
  await sweep(s.p.inquiries);
  deepStrictEqual(await answered, { action: 'cancel' });
});

test('a call that is taken back takes its elicitation back', async (t) => {
  const s = await scene(t);
  const call = new AbortController();
  const answered = s.elicit({ signal: call.signal });
  const [inquiry] = await opened(s);
  call.abort(new CallCancelled('no longer needed'));
  deepStrictEqual(await answered, 'gone');
  const { outcome, message } = (await read(s, inquiry?.id ?? '')).resolution ?? {};
  deepStrictEqual([outcome, message], ['withdrawn', 'no longer needed']);
});

test('[ASK5] an elicitation whose connection was lost finds its inquiry again, answered meanwhile or not', async (t) => {
  const s = await scene(t);
  for (const answeredMeanwhile of [true, false]) {
    const connection = new AbortController();
    const lost = s.elicit({ signal: connection.signal, sessionId: 'first' });
    const [inquiry] = await opened(s);
    connection.abort();
    const answer = () =>
      answerInquiry(s.p.inquiries, s.p.phone, inquiry?.id ?? '', { values: { form: { street: 'Main St' } } });
    deepStrictEqual(await lost, 'gone');
    if (answeredMeanwhile) await answer();
    const again = s.elicit({ sessionId: 'first' });
    if (!answeredMeanwhile) await answer();
    deepStrictEqual(await again, { action: 'accept', content: { street: 'Main St' } });
  }
});

test('[ASK5] the same elicitation twice at a time is two inquiries, and an answer is used once', async (t) => {
  const s = await scene(t);
  const both = [s.elicit(), s.elicit()];
  const [first, second] = await opened(s, 2);
  await answerInquiry(s.p.inquiries, s.p.phone, first?.id ?? '', { values: { form: { street: 'Main St' } } });
  await answerInquiry(s.p.inquiries, s.p.phone, second?.id ?? '', { outcome: 'declined' });
  deepStrictEqual((await Promise.all(both)).map((result) => (result === 'gone' ? result : result.action)).toSorted(), [
    'accept',
    'decline',
  ]);
  const third = s.elicit();
  const [another] = await opened(s);
  await answerInquiry(s.p.inquiries, s.p.phone, another?.id ?? '', { outcome: 'declined' });
  deepStrictEqual(await third, { action: 'decline' });
});

test('[ASK3] what cannot be shown to anybody is refused in one sentence and asks nobody', async (t) => {
  const s = await scene(t);
  const schema = (requestedSchema: unknown) => ({ ...FORM, requestedSchema });
  let deep: object = { type: 'string' };
  for (let level = 0; level < 80; level++) deep = { type: 'object', properties: { deep } };
  const hostile: [params: unknown, why: RegExp][] = [
    [undefined, /its params must be an object/],
    [{ ...FORM, mode: 'secret' }, /mode must be/],
    [{ requestedSchema: FORM.requestedSchema }, /message is missing/],
    [schema(undefined), /requestedSchema is missing/],
    [schema({ type: 'string' }), /requestedSchema\/type must be object/],
    [
      schema({ type: 'object', properties: { a: { type: 'nonsense' } } }),
      /requestedSchema is not a usable JSON Schema/,
    ],
    [
      schema({ type: 'object', properties: { a: { $ref: 'https://evil.example/schema' } } }),
      /not a usable JSON Schema/,
    ],
    [schema({ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }), /not a usable JSON Schema/],
    [schema(deep), /nests deeper/],
    [{ ...FORM, message: 'half \ud800 a pair' }, /surrogate/],
    [{ ...FORM, message: 'x'.repeat(70_000) }, /message is longer than 64 KiB/],
    [{ ...URL_MODE, url: 'javascript:alert(1)' }, /url /],
    [{ ...URL_MODE, url: 'file:///etc/passwd' }, /url /],
    [{ mode: 'url', message: 'where?' }, /url is missing/],
  ];
  for (const [params, why] of hostile) {
    await rejects(s.elicit({ params }), (error: AppError) => {
      match(error.message, why);
      return error.status === 422 && error.code === 'elicitation.invalid';
    });
  }
  deepStrictEqual([await s.open(), s.p.news], [[], []]);
});

test('an odd name or language of the asker keeps nobody from being asked', async () => {
  const { context } = await toAsk({
    gate: GATE,
    source: { id: 'src' },
    params: FORM,
    agent: 'x'.repeat(500),
    language: 'not a tag',
  });
  deepStrictEqual(context, { agent: 'x'.repeat(100) });
});

test('a round of 2026-07-28 is answered by people where it asks for nothing else', async (t) => {
  const s = await scene(t);
  const elicit = (params: object) => ({ method: 'elicitation/create', params });
  const result = { resultType: 'input_required', inputRequests: { where: elicit(FORM), in: elicit(URL_MODE) } };
  const round = roundForPeople({ ...result, requestState: 'state' });
  deepStrictEqual(round, { inputRequests: result.inputRequests, requestState: 'state' });
  const people: Elicit = (params, signal) => s.elicit({ params, signal });
  const answered = answerRound(round as Round, people, new AbortController().signal);
  for (const { id, link } of await opened(s, 2))
    await answerInquiry(s.p.inquiries, s.p.phone, id, link ? {} : { values: { form: { street: 'Main St' } } });
  deepStrictEqual(await answered, {
    where: { action: 'accept', content: { street: 'Main St' } },
    in: { action: 'accept' },
  });

  const sampling = { method: 'sampling/createMessage', params: {} };
  deepStrictEqual(
    [
      { content: [] },
      undefined,
      { resultType: 'input_required', requestState: 'later' },
      { resultType: 'input_required', inputRequests: {} },
      { ...result, inputRequests: { ...result.inputRequests, sampling } },
    ].map(roundForPeople),
    [undefined, undefined, undefined, undefined, 'not for people'],
  );
  const initialize = '{"id":1.0,"method":"initialize","params":{"capabilities":{"roots":{}}}}';
  deepStrictEqual(
    takeOver({ text: initialize, message: JSON.parse(initialize) }).text,
    initialize.replace('{"roots"', '{"elicitation":{"form":{},"url":{}},"roots"'),
  );
});

test('a round with one elicitation that cannot be shown is refused, and the others are let go', async (t) => {
  const s = await scene(t);
  const inputRequests = {
    good: { method: 'elicitation/create', params: FORM },
    bad: { method: 'elicitation/create', params: { mode: 'form' } },
  };
  await rejects(
    answerRound({ inputRequests }, (params, signal) => s.elicit({ params, signal }), new AbortController().signal),
    (error: AppError) => error.code === 'elicitation.invalid',
  );
  s.p.pass(3_000);
  await sweep(s.p.inquiries);
  deepStrictEqual(await s.open(), []);
});
