import { deepStrictEqual } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AnswerBody } from '#shared/answer.ts';
import type { Attention, AttentionDays, Bar, Became } from '#shared/policies/attention.ts';
import type { Action, Ask } from '#shared/inquiry.ts';
import type { Preferences } from '#shared/preferences.ts';
import { PutPolicies, type Rule } from '#shared/policies/rule.ts';
import { addDevice } from '../../devices/admit.ts';
import { mark } from '../../deliveries/inquiry-devices.ts';
import { putPolicies, readPolicies } from '../../automation/rules/change.ts';
import { createSourceForEverybody } from '../../sources/create.ts';
import { answerInquiry } from '../../inquiries/answer.ts';
import { ask } from '../../inquiries/ask.ts';
import { sweep } from '../../inquiries/expire.ts';
import { previewRules } from '../history/preview.ts';
import type { Answerer } from '../../inquiries/answerer.ts';
import type { Place } from '../../inquiries/testing/place.ts';
import { readAsRecipient } from '../../inquiries/store.ts';
import { withdrawIfOpen } from '../../inquiries/withdraw.ts';
import { readAttention } from './attention.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
/** Time goes on while a test runs; what is asserted is rounded down to seconds or more. */
const HALF = SECOND / 2;
/** The day after clocks in Berlin were put forward, 12:00 there. */
const NOW = Date.parse('2026-03-30T10:00:00Z');
const NOTHING: Became = {
  answered: 0,
  declined: 0,
  others: 0,
  rule: 0,
  yolo: 0,
  decider: 0,
  expired: 0,
  withdrawn: 0,
  open: 0,
};
const APPROVED: AnswerBody = { decisions: [{ type: 'approve' }] };

const call = (name: string, args: object = {}, more: Partial<Action> = {}): Ask => ({
  actions: [{ name, args: args as Action['args'], allowed: ['approve', 'reject', 'edit'], ...more }],
});
const bars = (length: number, filled: Record<number, Partial<Bar>>): Bar[] =>
  Array.from({ length }, (_, at) => ({ asked: 0, notified: 0, automatic: 0, ...filled[at] }));

/** How much a person was asked, and which rules would have spared them; the same on every engine. */
export function attentionContract(place: (t: TestContext) => Promise<Place>): void {
  async function open(t: TestContext, timeZone = 'Europe/Berlin') {
    const p = await place(t);
    const { database, phone, sourceId } = p;
    const choose = (more: Preferences) =>
      database.transaction((trx) =>
        trx
          .updateTable('people')
          .set({ preferences: JSON.stringify({ timeZone, ...more }) })
          .execute(),
      );
    await choose({});
    const at = (instant: number) => p.pass(instant - database.clock.now());
    const asked = async (asked: Ask, source = sourceId) =>
      (await ask(p.inquiries, { sourceId: source, ask: asked, waitMs: 0 })).inquiryId;
    const answer = async (id: string, body: AnswerBody, by = phone) => {
      const { digest } = await readAsRecipient(database, id, by.personId);
      await answerInquiry(p.inquiries, by, id, { ...body, digest });
    };
    const read = (days: AttentionDays = '7', { personId: id, handle } = phone) =>
      readAttention(database, { id, handle }, days);
    return {
      p,
      at,
      asked,
      choose,
      read,
      offers: async () => (await read()).offers.map(({ id: _id, ...offer }) => offer),
      notified: (inquiryId: string, { deviceId } = phone) =>
        mark(database, [{ inquiryId, deviceId, kind: 'accepted', at: Math.floor(database.clock.now()) }]),
      answer,
      decided: async (question: Ask, body: AnswerBody, source?: string) => answer(await asked(question, source), body),
      async rules(rules: Rule[], of: 'hub' | 'person' = 'person') {
        const which = { of, personId: phone.personId };
        const { version } = await readPolicies(database, which);
        await putPolicies(database, which, { version, rules }, phone.deviceId);
      },
    };
  }

  /** Another person with a device, who is in a group with the first. */
  async function withJonas({ database, phone }: Place): Promise<Answerer> {
    const id = 'per_jonas';
    const deviceId = await (async () => {
      await database.transaction(async (trx) => {
        await trx
          .insertInto('people')
          .values({ id, handle: 'jonas', name: 'Jonas', created_at: 0, locale: null })
          .execute();
        await trx.insertInto('groups').values({ id: 'grp_ops', handle: 'ops', name: 'Ops', created_at: 0 }).execute();
        for (const person_id of [id, phone.personId])
          await trx.insertInto('group_members').values({ group_id: 'grp_ops', person_id }).execute();
      });
      return (await addDevice(database, id, 'Jonas’ phone')).deviceId;
    })();
    return { deviceId, deviceName: 'Jonas’ phone', personId: id, handle: 'jonas', via: 'live' };
  }

  test('what a person was asked is added up by source, hour and day of their own time zone, and how it ended', async (t) => {
    const { p, at, asked, answer, notified, rules, read } = await open(t);
    const jonas = await withJonas(p);
    const { source: ledger } = await createSourceForEverybody(p.database, p.phone.personId, 'Ledger');
    // Before the window, which begins on Tuesday 00:00 there.
    at(Date.parse('2026-03-23T22:59:59Z'));
    await notified(await asked({ prompt: 'Early?' }));
    // 01:30, the last hour before clocks were put forward, and 90 minutes later 04:00.
    at(Date.parse('2026-03-29T00:30:00Z'));
    const night = await asked({ prompt: 'Night?' });
    await notified(night);
    const dawn = Date.parse('2026-03-29T02:00:00Z');
    at(dawn);
    await notified(night, p.laptop);
    at(dawn + 2 * MINUTE);
    await answer(night, { text: 'Yes' });
    at(dawn + HALF);
    const run = await asked(call('Bash'));
    await notified(run);
    at(dawn + 22 * SECOND + 2 * HALF);
    await answer(run, APPROVED, p.laptop);
    at(dawn + HALF);
    const no = await asked({ prompt: 'No?' });
    at(dawn + 10 * SECOND + 2 * HALF);
    await answer(no, { outcome: 'declined' });
    const group = await asked({ prompt: 'Who?', to: ['ops'] });
    await notified(group);
    await notified(group, jonas);
    await answer(group, { text: 'I' }, jonas);
    await notified(await asked({ prompt: 'Jonas?', to: ['jonas'] }), jonas);
    at(NOW - MINUTE);
    await rules([{ name: 'Reading is fine', when: { tool: 'Read' }, then: 'approve' }]);
    await asked(call('Read'));
    await asked(call('Read'), ledger.id);
    for (const by of [
      { kind: 'policy', label: 'YOLO', ruleId: 'yol_1' },
      { kind: 'decider', label: 'Helper', deciderId: 'dcd_1' },
    ]) {
      const resolution = JSON.stringify({ outcome: 'answered', at: '', text: '', by });
      const id = await asked(call('Read'), ledger.id);
      await p.database.transaction((trx) =>
        trx.updateTable('inquiries').set({ resolution }).where('id', '=', id).execute(),
      );
    }
    await rules([]);
    await withdrawIfOpen(p.inquiries, ledger.id, await asked({ prompt: 'Never mind' }, ledger.id));
    for (const one of ['a', 'b']) {
      const id = await asked({ prompt: one, deadline: 5, latest: 5 });
      if (one === 'a') await notified(id);
    }
    at(NOW);
    await sweep(p.inquiries);
    await asked({ prompt: 'Still?' });
    const took = { count: 3, p25: 10 * SECOND, median: 22 * SECOND, p75: 90 * MINUTE, p90: 90 * MINUTE };
    const found = await read();
    const automatic = found.automatic.map((one) => ({ ...one, lastAt: one.lastAt.slice(0, 19) }));
    const lastAt = '2026-03-30T09:59:00';
    deepStrictEqual({ ...found, automatic }, {
      timeZone: 'Europe/Berlin',
      since: '2026-03-23T23:00:00.000Z',
      sources: [
        {
          source: { id: p.sourceId, name: 'Release train' },
          asked: 8,
          notified: 4,
          became: { ...NOTHING, answered: 2, declined: 1, others: 1, rule: 1, expired: 2, open: 1 },
          weekdays: bars(7, { 0: { asked: 4, notified: 3 }, 1: { asked: 3, notified: 1, automatic: 1 } }),
          hours: bars(24, {
            1: { asked: 1, notified: 1 },
            4: { asked: 3, notified: 2 },
            11: { asked: 2, notified: 1, automatic: 1 },
            12: { asked: 1 },
          }),
          took,
        },
        {
          source: { id: ledger.id, name: 'Ledger' },
          asked: 4,
          notified: 0,
          became: { ...NOTHING, rule: 1, yolo: 1, decider: 1, withdrawn: 1 },
          weekdays: bars(7, { 1: { asked: 1, automatic: 3 } }),
          hours: bars(24, { 11: { asked: 1, automatic: 3 } }),
        },
      ],
      kinds: [
        { kind: 'actions', ...took, count: 1, p25: 22 * SECOND, p75: 22 * SECOND, p90: 22 * SECOND },
        { kind: 'questions', ...took, count: 2, median: 10 * SECOND },
      ],
      automatic: [
        { by: 'rule', label: 'Reading is fine', count: 2, lastAt },
        { by: 'decider', label: 'Helper', count: 1, lastAt },
        { by: 'yolo', label: 'YOLO', count: 1, lastAt },
      ],
      expiredUnseen: 1,
      offers: [],
    } satisfies Attention);
    const theirs = await read('7', jonas);
    deepStrictEqual(
      theirs.sources.map(({ asked: count, notified: woken, became, took: own }) => [count, woken, became, own?.count]),
      [[2, 2, { ...NOTHING, answered: 1, expired: 1 }, 1]],
    );
  });

  test('thirty days begin on a day of the time zone, also where clocks were put back in them', async (t) => {
    const { at, asked, notified, read } = await open(t, 'America/New_York');
    for (const instant of [
      '2025-10-18T03:59:59Z',
      '2025-10-18T04:00:00Z',
      '2025-11-02T05:30:00Z',
      '2025-11-02T06:30:00Z',
    ]) {
      at(Date.parse(instant));
      await notified(await asked({ prompt: instant }));
    }
    at(Date.parse('2025-11-16T17:00:00Z'));
    const { since, sources } = await read('30');
    deepStrictEqual(
      [since, sources.map(({ notified: woken, weekdays, hours }) => [woken, weekdays, hours])],
      [
        '2025-10-18T04:00:00.000Z',
        [
          [
            3,
            bars(7, { 6: { asked: 1, notified: 1 }, 0: { asked: 2, notified: 2 } }),
            bars(24, { 0: { asked: 1, notified: 1 }, 1: { asked: 2, notified: 2 } }),
          ],
        ],
      ],
    );
  });

  test('where nothing was asked nothing is counted, in UTC without a time zone', async (t) => {
    const { p, read } = await open(t);
    await p.database.transaction((trx) => trx.updateTable('people').set({ preferences: null }).execute());
    const { since, ...rest } = await read();
    deepStrictEqual(
      [since.slice(10), rest],
      ['T00:00:00.000Z', { timeZone: 'UTC', sources: [], kinds: [], automatic: [], expiredUnseen: 0, offers: [] }],
    );
  });

  test('[POL4] what was decided five times alike and never otherwise is offered as a rule, what saves most first', async (t) => {
    const { p, at, decided, rules, offers } = await open(t);
    at(NOW - DAY);
    const own = { source: p.sourceId };
    for (let time = 0; time < 5; time++) {
      await decided(call('Bash', { command: 'cargo test', description: `${time}` }), APPROVED);
      await decided(call('Bash', { command: 'cargo check && cargo test' }), APPROVED);
      await decided(call('Bash', { command: `rm ${time}` }), APPROVED);
      await decided(call('write', { path: 'a', n: time }), APPROVED);
      await decided({ prompt: 'Where to?' }, { text: 'Main' });
      await decided({ prompt: `Where from? ${time}` }, { text: 'Main' });
      // Four alike are too few; with caution, edited or decided otherwise once there is none.
      if (time < 4) await decided(call('few'), APPROVED);
      await decided(call('careful', {}, { caution: time === 2 }), APPROVED);
      await decided(call('edited'), time < 4 ? APPROVED : { decisions: [{ type: 'edit', args: { a: 1 } }] });
      await decided(call('mixed', { n: 1 }), APPROVED);
    }
    await decided(call('mixed', { n: 1 }), { decisions: [{ type: 'reject' }] });
    at(NOW);
    const tests: Rule = {
      name: 'Release train: cargo test, cargo che…',
      when: { ...own, tool: 'Bash', shell: ['cargo test', 'cargo check'] },
      then: 'approve',
    };
    const answers: Rule = {
      name: 'Release train: Where to?',
      when: { ...own, kind: 'text', question: { prompt: 'Where to?' } },
      then: { answer: 'Main' },
    };
    const found = await offers();
    deepStrictEqual(found, [
      { rule: tests, saved: 10 },
      { rule: answers, saved: 5 },
    ]);
    // The preview of each says the same, and the hub takes them.
    const preview = await previewRules(
      p.database.read,
      { id: p.phone.personId, handle: p.phone.handle },
      {
        of: 'me',
        rules: found.map(({ rule }) => rule),
      },
    );
    deepStrictEqual([preview.items.length, preview.items.filter(({ would, differs }) => !would || differs)], [15, []]);
    deepStrictEqual(PutPolicies.parse({ version: 0, rules: [tests, answers] }).rules.length, 2);
    await rules([tests], 'hub');
    await rules([{ ...answers, then: 'ask' }]);
    deepStrictEqual(await offers(), []);
  });

  test('[POL4] parts of one numbered whole are offered together once five were approved, and no other numbers', async (t) => {
    const { p, at, decided, offers } = await open(t);
    at(NOW - DAY);
    for (let part = 1; part <= 5; part++) {
      await decided(call('Bash', { command: `npm test -- --shard ${part}/8` }), APPROVED);
      await decided(call('Bash', { command: `kill ${part}` }), APPROVED);
      await decided(
        call('Bash', { command: `make ${part}/9` }),
        part < 5 ? APPROVED : { decisions: [{ type: 'reject' }] },
      );
    }
    at(NOW);
    const shell = Array.from({ length: 8 }, (_, part) => `npm test -- --shard ${part + 1}/8`);
    deepStrictEqual(
      (await offers()).map(({ rule: { when, then }, saved }) => ({ when, then, saved })),
      [{ when: { source: p.sourceId, tool: 'Bash', shell }, then: 'approve', saved: 5 }],
    );
  });

  test('[POL4] parts of two wholes are offered for each whole by itself', async (t) => {
    const { p, at, decided, offers } = await open(t);
    at(NOW - DAY);
    for (let part = 1; part <= 14; part++)
      for (const whole of [14, 20])
        await decided(call('Bash', { command: `npm test -- --shard ${part}/${whole}` }), APPROVED);
    at(NOW);
    const shell = (whole: number) =>
      Array.from({ length: whole }, (_, part) => `npm test -- --shard ${part + 1}/${whole}`);
    const when = { source: p.sourceId, tool: 'Bash' };
    deepStrictEqual(
      (await offers()).map(({ rule, saved }) => [rule.when, rule.then, saved]),
      [20, 14].map((whole) => [{ ...when, shell: shell(whole) }, 'approve', 14]),
    );
  });

  test('[POL4] an answer is offered for the very question and its options alone, and no tool for all of its calls', async (t) => {
    const { p, at, decided, offers } = await open(t);
    at(NOW - DAY);
    const options = [
      { value: 'y', label: 'Yes', description: 'It goes to everybody.' },
      { value: 'n', label: 'No' },
    ];
    const ask = (prompt: string, more: object = {}): Ask => ({
      questions: [{ id: 'c', type: 'choice', prompt, options, ...more }],
    });
    const yes = { values: { c: 'y' } };
    for (let time = 0; time < 10; time++) {
      await decided(ask('Ship it?', { required: true }), yes);
      await decided(ask(`Drop table ${time}?`), yes);
      await decided(ask('Ship it?', { options: options.with(0, { value: 'y', label: `Yes, ${time}` }) }), yes);
      await decided({ ...ask('Ship it?'), title: `Release ${time}` }, yes);
      await decided(
        { ...ask('Merge?'), context: { links: [{ label: 'Change', url: `https://x.test/${time}` }] } },
        yes,
      );
      await decided({ ...ask('Close?'), prompt: `It is about ${time}.` }, yes);
      await decided({ prompt: `Which branch, ${time}?` }, { text: 'Main' });
      await decided(call('write', { path: 'a', n: time }), APPROVED);
      const two = [call('pair', { n: time }), call('pair', { n: -time - 1 })].flatMap(({ actions = [] }) => actions);
      await decided({ actions: two }, { decisions: two.map(() => ({ type: 'approve' })) });
    }
    at(NOW);
    const rule: Rule = {
      name: 'Release train: Ship it?',
      when: { source: p.sourceId, kind: 'questions', question: { prompt: 'Ship it?', options } },
      then: { answer: 'y' },
    };
    deepStrictEqual(await offers(), [{ rule, saved: 10 }]);
  });

  test('[POL4] calls asked together are offered as one rule where all of them are the same', async (t) => {
    const { p, at, decided, offers } = await open(t);
    at(NOW - DAY);
    const [one] = call('get', { path: '/a' }).actions ?? [];
    const decisions: AnswerBody['decisions'] = [{ type: 'approve' }, { type: 'approve' }];
    for (let time = 0; time < 5; time++) await decided({ actions: [one!, one!] }, { decisions });
    at(NOW);
    const when = { source: p.sourceId, tool: 'get', args: { '': { equals: { path: '/a' } } } };
    deepStrictEqual(
      (await offers()).map(({ rule, saved }) => [rule.when, rule.then, saved]),
      [[when, 'approve', 5]],
    );
  });

  test('[POL4] a question that was decided in two ways is offered in none, and one in other words is another one', async (t) => {
    const { at, decided, offers } = await open(t);
    at(NOW - DAY);
    for (let time = 0; time < 5; time++) {
      await decided({ prompt: 'Where to?' }, { text: 'Main' });
      await decided({ prompt: 'Where to? ' }, { text: time < 3 ? 'Main' : 'Next' });
    }
    await decided({ prompt: 'Where to?' }, { text: 'Next' });
    at(NOW);
    deepStrictEqual(await offers(), []);
  });

  test('[POL3] one damaged inquiry keeps nothing else from being counted and offered', async (t) => {
    const { p, at, asked, answer, decided, read } = await open(t);
    at(NOW - DAY);
    for (let time = 0; time < 5; time++) await decided({ prompt: 'Where to?' }, { text: 'Main' });
    for (const column of ['asked', 'transport', 'resolution'] as const) {
      const id = await asked({ prompt: 'Where to?' });
      await answer(id, { text: 'Main' });
      await p.database.transaction((trx) =>
        trx
          .updateTable('inquiries')
          .set({ [column]: '{"a' })
          .where('id', '=', id)
          .execute(),
      );
    }
    at(NOW);
    const { sources, offers } = await read();
    const me = { id: p.phone.personId, handle: p.phone.handle };
    const preview = await previewRules(p.database.read, me, { of: 'me', rules: offers.map(({ rule }) => rule) });
    deepStrictEqual(
      [offers.map(({ saved }) => saved), sources.map((one) => one.asked), preview.looked, preview.items.length],
      [[5], [6], 5, 5],
    );
  });

  test('[POL3] no rule is offered for what others were asked too, what they decided, or what another source asked', async (t) => {
    const { p, at, decided, asked, answer, offers } = await open(t);
    const jonas = await withJonas(p);
    const { source: ledger } = await createSourceForEverybody(p.database, p.phone.personId, 'Ledger');
    at(NOW - DAY);
    for (let time = 0; time < 5; time++) {
      await decided({ ...call('shared'), to: ['ops'] }, APPROVED);
      await decided({ ...call('both'), to: ['owner', 'jonas'] }, APPROVED);
      await answer(await asked({ ...call('his'), to: ['jonas'] }), APPROVED, jonas);
      await decided(call('split'), APPROVED, time < 3 ? p.sourceId : ledger.id);
      await decided({ ...call('free'), rules: 'none' }, APPROVED);
      await decided({ questions: [{ id: 'k', type: 'text', prompt: 'Key?', secret: true }] }, { values: { k: 'x' } });
    }
    at(NOW);
    deepStrictEqual(await offers(), []);
  });

  test('a rule that was dismissed is offered no more, nor another one for the same decisions, until it is taken back', async (t) => {
    const { p, at, decided, read, offers, choose } = await open(t);
    at(NOW - DAY);
    for (let time = 0; time < 5; time++) {
      await decided(call('get', { path: '/a' }), APPROVED);
      await decided(call('Bash', { command: 'cargo test' }), APPROVED);
    }
    at(NOW);
    const [first, second, ...more] = (await read()).offers;
    deepStrictEqual([first?.rule.then, second?.saved, more, first?.id === second?.id], ['approve', 5, [], false]);
    await choose({ putOff: [first!.id] });
    // Under another name it is still the same.
    await p.database.transaction((trx) => trx.updateTable('sources').set({ name: 'Other' }).execute());
    deepStrictEqual(
      (await read()).offers.map(({ id }) => id),
      [second!.id],
    );
    await choose({ putOff: [first!.id, second!.id] });
    deepStrictEqual(await offers(), []);
    await choose({});
    deepStrictEqual((await offers()).length, 2);
  });

  test('of rules that save as much the one for its commands is offered, under a name that is free', async (t) => {
    const { p, at, decided, rules, offers } = await open(t);
    at(NOW - DAY);
    for (let time = 0; time < 5; time++) {
      await decided(call('Bash', { command: 'cargo test' }), APPROVED);
      await decided(call('get', { path: '/a' }), APPROVED);
    }
    at(NOW);
    await rules([{ name: 'Release train: get', when: { tool: 'other' }, then: 'ask' }]);
    const own = { source: p.sourceId };
    deepStrictEqual(await offers(), [
      {
        rule: {
          name: 'Release train: get (2)',
          when: { ...own, tool: 'get', args: { '': { equals: { path: '/a' } } } },
          then: 'approve',
        },
        saved: 5,
      },
      {
        rule: {
          name: 'Release train: cargo test',
          when: { ...own, tool: 'Bash', shell: ['cargo test'] },
          then: 'approve',
        },
        saved: 5,
      },
    ]);
  });
}
