import { deepStrictEqual } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test, type TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { AnswerBody } from '#shared/answer.ts';
import { openPlace } from '../../inquiries/testing/place.ts';
import { DIALECTS } from '../all/dialects.ts';
import { openScene, type Scene } from '../testing/scene.ts';
import { signWebhook, webhookKey } from '../../platform/secrets/webhook-key.ts';
import * as client from './beckon.mjs';

type Hub = { url: string; apiKey: string };
type Verb = 'ask' | 'approve' | 'confirm' | 'choose' | 'inquire';
/** What a verb gives, or how its question ended where it throws. */
type Given = { gives: unknown } | { unanswered: string | undefined };
type Client = (hub: Hub, calls: [verb: Verb, args: unknown[]][]) => Promise<Given[]>;
type Webhooked = [body: string, headers: Record<string, string>, secret: string];
/** For each webhook whether it is taken for the hub's. */
type Verifier = (webhooks: Webhooked[]) => Promise<boolean[]>;

const VERBS = {
  ask: client.ask,
  approve: client.approve,
  confirm: client.confirm,
  choose: client.choose,
  inquire: client.inquire,
};
const JS: Client = async (hub, calls) => {
  const given: Given[] = [];
  for (const [verb, args] of calls) {
    const work = VERBS[verb] as (...given: unknown[]) => Promise<unknown>;
    given.push(
      await work(...args, hub).then(
        (gives): Given => ({ gives }),
        (error: unknown): Given => ({ unanswered: (error as client.AskError).outcome }),
      ),
    );
  }
  return given;
};

const PROGRAM = `
import asyncio, json, sys
import beckon
calls, blocking = json.loads(sys.argv[1])
given = []
for verb, args in calls:
    try:
        if blocking:
            given.append({"gives": getattr(beckon, verb)(*args)})
        else:
            given.append({"gives": asyncio.run(getattr(beckon.AsyncClient(), verb)(*args))})
    except beckon.AskError as error:
        given.append({"unanswered": error.outcome})
print(json.dumps(given))
`;

const python =
  (blocking: boolean): Client =>
  async ({ url, apiKey }, calls) => {
    const env = { BECKON_URL: url, BECKON_KEY: apiKey };
    return JSON.parse(await runPython(PROGRAM, JSON.stringify([calls, blocking]), env)) as Given[];
  };

const VERIFIES = `
import json, sys
from beckon import verify_webhook
def taken(webhook):
    try:
        return bool(verify_webhook(*webhook))
    except ValueError:
        return False
print(json.dumps([taken(one) for one in json.loads(sys.argv[1])]))
`;

const VERIFIERS: Record<string, Verifier> = {
  'beckon.mjs': (webhooks) =>
    Promise.all(
      webhooks.map((one) =>
        client.verifyWebhook(...one).then(
          () => true,
          () => false,
        ),
      ),
    ),
  'beckon.py': async (webhooks) => JSON.parse(await runPython(VERIFIES, JSON.stringify(webhooks))) as boolean[],
};

const YES = { values: { choice: 'yes' } };
const CASES: [verb: Verb, args: unknown[], answer: AnswerBody, given: Given][] = [
  ['ask', ['Ship it?'], { text: 'After lunch' }, { gives: 'After lunch' }],
  ['ask', ['Ship it?'], { outcome: 'declined' }, { unanswered: 'declined' }],
  ['confirm', ['Ship it?'], YES, { gives: true }],
  ['confirm', ['Ship it?'], { values: { choice: 'no' } }, { gives: false }],
  ['confirm', ['Ship it?'], { outcome: 'declined' }, { unanswered: 'declined' }],
  ['choose', ['Where?', ['prod', { value: 'st', label: 'Staging' }]], { values: { choice: 'st' } }, { gives: 'st' }],
  ['approve', ['refund', { cents: 1 }], { decisions: [{ type: 'approve' }] }, { gives: true }],
  ['approve', ['refund', { cents: 1 }], { decisions: [{ type: 'reject', message: 'No.' }] }, { gives: false }],
  ['approve', ['refund', { cents: 1 }], { outcome: 'declined' }, { unanswered: 'declined' }],
];

for (const [name, run] of Object.entries({
  'beckon.mjs': JS,
  'beckon.py': python(true),
  'beckon.py under asyncio': python(false),
})) {
  test(`[RES4] [DIA1] ${name}: each verb gives what a person said, and throws where nobody decided`, async (t) => {
    const { hub, ...s } = await openHub(t);
    const ends = run(
      hub,
      CASES.map(([verb, args]) => [verb, args]),
    );
    for (const [, , answer] of CASES) {
      const [inquiry] = await s.open(1);
      await s.answer(inquiry!, answer);
    }
    const given = await ends;
    deepStrictEqual(
      CASES.map(([verb, args, answer], at) => [verb, args, answer, given[at]]),
      CASES,
    );
  });

  test(`${name}: an inquiry of the hub's own form gives its resolution`, async (t) => {
    const { hub, ...s } = await openHub(t);
    const ends = run(hub, [['inquire', [{ document: { markdown: 'Dear Ann' } }]]]);
    const [inquiry] = await s.open(1);
    await s.answer(inquiry!, { markdown: 'Dear Bob' });
    const { outcome, answer } = ((await ends) as { gives: client.Resolution }[])[0]!.gives;
    deepStrictEqual([outcome, answer], ['answered', { markdown: 'Dear Bob' }]);
  });
}

test('one word beside options is a prompt, and beside any body the name of a dialect', async (t) => {
  const { hub, ...s } = await openHub(t);
  const asked = client.ask('deploy', { ...hub, to: 'owner', signal: undefined });
  const [inquiry] = await s.open(1);
  await s.answer(inquiry!, { text: 'Now' });
  deepStrictEqual([inquiry?.prompt, await asked], ['deploy', 'Now']);
  for (const body of [{ to: 'owner', tool: 'deploy' }, {}, [], 'now', null])
    deepStrictEqual(
      await client.ask('deploy', body, hub).catch(({ code }: client.AskError) => code),
      'dialect.unknown',
    );
});

test('what is asked by the verbs is what a person decides about', async (t) => {
  const { hub, ...s } = await openHub(t);
  const options = { ...hub, to: 'owner', deadline: 600 };
  const more = { ...options, description: 'Anna paid twice.', caution: true };
  const ends = [
    client.approve('refund', { cents: 1 }, more),
    client.confirm('Ship it?', { ...options, yes: 'Ship', no: 'Wait' }),
  ];
  const asked = await s.open(2);
  deepStrictEqual(new Set(asked.map(({ actions, questions }) => actions ?? questions)), new Set([CALL, CONFIRMED]));
  for (const inquiry of asked)
    await s.answer(inquiry, inquiry.actions ? { decisions: [{ type: 'reject' }] } : { values: { choice: 'yes' } });
  deepStrictEqual(await Promise.all(ends), [false, true]);
});

const CALL = [
  {
    name: 'refund',
    args: { cents: 1 },
    description: 'Anna paid twice.',
    caution: true,
    allowed: ['approve', 'reject'],
  },
];
const CONFIRMED = [
  {
    id: 'choice',
    type: 'choice',
    prompt: 'Ship it?',
    options: [
      { value: 'yes', label: 'Ship' },
      { value: 'no', label: 'Wait' },
    ],
    required: true,
  },
];

/** What signs webhooks, and what verifies them: by a secret, or by a key pair. */
type Signer = { secret: string; sign(id: string, at: Date, body: string): string };
const bySecret = (seed: string): Signer => {
  const secret = `whsec_${Buffer.from(seed.padEnd(32, '.')).toString('base64')}`;
  return { secret, sign: (...signed) => new Webhook(secret).sign(...signed) };
};
const byKey = (seed: string): Signer => {
  const hub = Buffer.from(seed.padEnd(32, '.'));
  const sign: Signer['sign'] = (id, at, body) =>
    signWebhook(hub, 'src_1', { id, timestamp: `${Math.floor(at.getTime() / 1000)}`, body });
  return { secret: webhookKey(hub, 'src_1'), sign };
};

for (const [name, verifies] of Object.entries(VERIFIERS))
  for (const [kind, signer, version] of [
    ['v1', bySecret, 'v1'],
    ['v1a', byKey, 'v1a'],
  ] as const)
    test(`[DLV1] ${name} takes a webhook that the hub signed a moment ago by ${kind}, and no other`, async () => {
      const own = signer('a secret');
      const body = '{"type":"inquiry.resolved","data":{"title":"Grüße"}}';
      const signed = (id = 'dlv_1', at = new Date(), by = own) => ({
        'webhook-id': id,
        'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
        'webhook-signature': by.sign(id, at, body),
      });
      const good = signed();
      const signature = good['webhook-signature'];
      const as = (text: string) => ({ ...good, 'webhook-signature': text });
      const foreign = (kind === 'v1' ? byKey : bySecret)('a secret').sign('dlv_1', new Date(), body);
      const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
      const flipped = Buffer.from(signature.slice(version.length + 1), 'base64');
      flipped[20]! ^= 1;
      const tries: [string, string, Record<string, string>][] = [
        ['as it came', body, good],
        ['with a second signature', body, as(`v1,x v1a,${'/'.repeat(86)}== ${foreign} ${signature}`)],
        ['another body', body.replace('Grüße', 'Gruss'), good],
        ['another id', body, { ...good, 'webhook-id': 'dlv_2' }],
        ['an id with a dot', body, signed('dlv.1')],
        ['no id', body, signed('')],
        ['another time', body, { ...good, 'webhook-timestamp': `${Number(good['webhook-timestamp']) + 1}` }],
        ['no time', body, { ...good, 'webhook-timestamp': '' }],
        ['six minutes old', body, signed('dlv_1', minutesAgo(6))],
        ['of six minutes hence', body, signed('dlv_1', minutesAgo(-6))],
        ['signed with another secret', body, signed('dlv_1', new Date(), signer('another'))],
        ['signed in the other way', body, as(foreign)],
        ['its own bytes under the other name', body, as(signature.replace(version, kind === 'v1' ? 'v1a' : 'v1'))],
        ['a flipped bit', body, as(`${version},${flipped.toString('base64')}`)],
        ['without a signature', body, as('')],
        ['of another version', body, as(signature.replace(version, 'v2'))],
      ];
      const taken = await verifies(tries.map(([, ...given]): Webhooked => [...given, own.secret]));
      deepStrictEqual(
        tries.flatMap(([what], at) => (taken[at] ? [what] : [])),
        ['as it came', 'with a second signature'],
      );
    });

async function openHub(t: TestContext): Promise<Scene & { hub: Hub }> {
  const { place, close } = await openPlace();
  t.after(close);
  const scene = await openScene(t, place, DIALECTS);
  return { ...scene, hub: { url: scene.node.url, apiKey: scene.key } };
}

async function runPython(program: string, input: string, env: Record<string, string> = {}): Promise<string> {
  const child = spawn('python3', ['-c', program, input], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (out += data.toString()));
  child.stderr.on('data', (data: Buffer) => (err += data.toString()));
  return new Promise((resolve, reject) => {
    child.on('close', () => (out === '' ? reject(new Error(err)) : resolve(out)));
  });
}
