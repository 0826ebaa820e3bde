import { deepStrictEqual, equal } from 'node:assert/strict';
import { before, test } from 'node:test';
import { answerFaults } from '#shared/fit.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { decide, decideAll, decidedCount, putBack } from '../calls/deciding.ts';
import { toContent, toDraft, hasWords } from './content.ts';
import { replyFaults } from './faults.ts';
import { fetchForms } from './form/ready.ts';
import type { Part, PartOf } from './form/values.ts';
import { pickOption, pickOther, pickPlace, writeOther } from './picking.ts';
import { firstReply, type Reply, replyFrom } from './state.ts';

before(fetchForms);

const choice = {
  id: 'when',
  type: 'choice' as const,
  prompt: 'When?',
  allowOther: true,
  options: [
    { value: 'now', label: 'Now' },
    { value: 'mon', label: 'Monday' },
  ],
};
const asked = (parts: Partial<Inquiry>) =>
  ({ title: 'When?', source: { id: 's', name: 'Train' }, ...parts }) as Inquiry;
const questionnaire = asked({
  questions: [
    choice,
    { ...choice, id: 'who', type: 'multi', min: 1, max: 2 },
    { id: 'why', type: 'text', prompt: 'Why?', required: false },
    {
      id: 'trip',
      type: 'form',
      prompt: 'Trip?',
      schema: { type: 'object', properties: { nights: { type: 'integer' } }, required: ['nights'] },
    },
  ],
});
const picked = (reply: Reply, id: string) => reply.parts[id] as PartOf<'choice' | 'multi'>;
const withPart = (reply: Reply, id: string, part: Part): Reply => ({
  ...reply,
  own: true,
  parts: { ...reply.parts, [id]: part },
});

test('an answer has the members its kind asks for, and what was skipped is absent', () => {
  const blank = firstReply(questionnaire);
  let reply = withPart(blank, 'when', pickOption(picked(blank, 'when'), 'mon'));
  reply = withPart(reply, 'who', writeOther(pickOther(pickOption(picked(reply, 'who'), 'now')), 'Petra'));
  reply = withPart(reply, 'trip', { type: 'form', own: true, raw: { nights: '4' }, json: '' });
  const content = toContent(questionnaire, reply);
  deepStrictEqual(content, {
    values: { when: 'mon', who: ['now'], trip: { nights: 4 } },
    other: { who: 'Petra' },
  });
  deepStrictEqual(answerFaults(questionnaire, content), []);
  deepStrictEqual(toContent(asked({}), { ...firstReply(asked({})), text: 'Tonight.' }), { text: 'Tonight.' });
  deepStrictEqual(toContent(asked({ link: { url: 'https://a.example', completes: 'self' } }), blank), {});
});

test('something else takes the place of a choice and stands beside several', () => {
  const part = pickOther(pickOption(picked(firstReply(questionnaire), 'when'), 'now'));
  deepStrictEqual([part.picks, part.otherOn], [[], true]);
  const back = pickOption(writeOther(part, 'Later'), 'mon');
  deepStrictEqual([back.picks, back.otherOn, back.other], [['mon'], false, 'Later']);
  deepStrictEqual(pickPlace(choice, part, 2)?.otherOn, true);
  deepStrictEqual(pickPlace(choice, part, 3), undefined);
  const both = withPart(firstReply(questionnaire), 'when', { ...part, picks: ['now'], other: 'Later' });
  deepStrictEqual(toContent(questionnaire, both), { values: {}, other: { when: 'Later' } });
});

test('[RES3] what the hub would refuse is found before it is sent', () => {
  deepStrictEqual(
    replyFaults(questionnaire, firstReply(questionnaire)).map(({ at, field, code }) => [at, field, code]),
    [
      ['when', undefined, 'answer.missing'],
      ['who', undefined, 'answer.missing'],
      ['trip', 'nights', 'answer.missing'],
    ],
  );
  deepStrictEqual(replyFaults(asked({}), firstReply(asked({}))), [{ at: '', code: 'answer.empty', params: {} }]);
});

test('a suggestion is a whole answer that nobody has touched, and a draft comes back as it was', () => {
  const suggested = { values: { when: 'mon', who: ['now'], trip: { nights: 3 } } };
  const reply = firstReply({ ...questionnaire, suggested });
  deepStrictEqual(
    [reply.own, hasWords(questionnaire, reply), toContent(questionnaire, reply)],
    [false, false, suggested],
  );
  const draft = { values: { why: 'Because', trip: { nights: 'fou' } }, other: { when: 'Lat' } };
  deepStrictEqual(toDraft(questionnaire, replyFrom(questionnaire, draft, true)), draft);
});

test('[WDR3] typed words are missed when an inquiry is taken away, a mere pick is not', () => {
  const blank = firstReply(questionnaire);
  const pick = withPart(blank, 'when', pickOption(picked(blank, 'when'), 'now'));
  const typed = withPart(blank, 'why', { type: 'text', own: true, text: 'Not yet' });
  const otherwise = withPart(blank, 'when', writeOther(pickOther(picked(blank, 'when')), 'Tonight'));
  const beside = withPart(
    firstReply({ ...questionnaire, suggested: { values: { why: 'UntrustedText' } } }),
    'when',
    picked(pick, 'when'),
  );
  deepStrictEqual(
    [blank, pick, beside, typed, otherwise].map((reply) => hasWords(questionnaire, reply)),
    [false, false, false, true, true],
  );
});

const calls = asked({
  actions: [
    { name: 'push', args: { n: 1 }, allowed: ['approve', 'edit', 'reject', 'respond'] },
    {
      name: 'post',
      args: {},
      allowed: ['approve', 'reject'],
      options: [
        { id: 'once', label: 'Once', type: 'approve' },
        { id: 'no', label: 'No', type: 'reject' },
      ],
    },
  ],
  argsText: ['{"n":9007199254740993117}', '{}'],
});

test('each call gets its decision, in order, with exact arguments and the sender’s own choice', () => {
  const one = decide(firstReply(calls), 0, { type: 'edit' }, { argsText: '{"n":9007199254740993118}' });
  equal(decidedCount(one), 1);
  deepStrictEqual(
    replyFaults(calls, one).map(({ at }) => at),
    ['1'],
  );
  deepStrictEqual(toContent(calls, decideAll(calls, one, 'approve')), {
    decisions: [
      { type: 'edit', argsText: '{"n":9007199254740993118}' },
      { type: 'approve', optionId: 'once' },
    ],
  });
  deepStrictEqual(putBack(calls, one, 0).calls[0], { own: false, message: '', argsText: '{"n":9007199254740993117}' });
});

test('a reason goes with a rejection only, and edited arguments have to be JSON', () => {
  const rejected = decide(firstReply(calls), 0, { type: 'reject' }, { message: 'Not now' });
  deepStrictEqual(toDraft(calls, rejected), { decisions: [{ type: 'reject', message: 'Not now' }] });
  deepStrictEqual(toDraft(calls, decide(rejected, 0, { type: 'approve' })), { decisions: [{ type: 'approve' }] });
  const second = decide(firstReply(calls), 1, { type: 'approve', optionId: 'once' });
  deepStrictEqual(toDraft(calls, second), { decisions: [] });
  const broken = decide(decideAll(calls, rejected, 'reject'), 0, { type: 'edit' }, { argsText: '{"n":' });
  deepStrictEqual(replyFaults(calls, broken), [{ at: '0', code: 'json.malformed', params: {} }]);
});
