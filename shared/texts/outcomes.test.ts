import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { By, Resolution } from '../answer.ts';
import type { Asked } from '../inquiry.ts';
import { saidIn } from '../text.ts';
import { type OutcomeTexts, OutcomeTexts as Schema } from '../wire.ts';
import { toFaults } from '../faults.ts';
import { filled, writeOutcome } from './outcomes.ts';

type End = Omit<Resolution, 'text' | 'note' | 'at'>;

const PERSON: By = { kind: 'person', handle: 'mara', device: { id: 'dev', name: 'Phone' }, via: 'live' };
const RULE: By = { kind: 'policy', label: 'Nights', ruleId: 'rul_1' };
const DECIDER: By = { kind: 'decider', label: 'Helper', deciderId: 'dcd_1' };
const DEADLINE: By = { kind: 'deadline', label: 'deadline' };
const SOURCE: By = { kind: 'source', label: 'CI' };
const PROMPT = { title: 'Ship?', prompt: 'Ship?' };
const call: Asked['actions'] = [{ name: 'Bash', args: {}, allowed: ['approve', 'reject', 'respond'] }];
const CALL = { title: 'Bash', actions: call };
const decided = (type: 'approve' | 'reject' | 'respond') =>
  ({ decisions: [{ type, ...(type === 'approve' ? {} : { message: 'No.' }) }] }) as NonNullable<End['answer']>;

const DEADLINE_AT = '2026-11-23T09:00:00.000Z';
const OWN: OutcomeTexts = {
  declined: '{who} will not say about “{title}”: {message}',
  expired: '“{title}” ran out at {deadline}.',
  withdrawn: 'Never mind “{title}”.',
  youDecide: 'Your call: {title} ({who}).',
  byRule: '[rule {who}]',
  byDecider: '[decider {who}, {title}]',
};

const told = (end: End, how?: 'you-decide' | 'random', asked: Asked & { title: string } = PROMPT) => {
  const of = (language: 'en' | 'zh', texts?: OutcomeTexts) =>
    writeOutcome({ asked, resolution: end, how, language, texts, deadlineAt: DEADLINE_AT }).text;
  return [of('en'), of('zh'), of('en', OWN)];
};

const NAMED = '`Bash`, no arguments.';
const NAMED_ZH = '`Bash`，无参数。';
const RULED = 'Decided by the rule “Nights”; nobody was asked.';
const RULED_ZH = '由规则“Nights”决定，没有询问任何人。';
const HELPED = 'Decided by “Helper” in the person’s place; it is not the person’s own decision.';
const HELPED_ZH = '由“Helper”代为决定，不是对方本人的决定。';
const DECLINED =
  'The person declined to answer this. Do not ask the same again, and do not make up an answer: go on without it, or stop and say what is missing.';
const DECLINED_ZH = '对方没有作答。请勿再问同样的问题，也不要自己编造答案；可以不依赖它继续，或停下来说明还缺什么。';
const NONE =
  'There is no answer. Do not ask the same again, and do not make one up: go on without it, or stop and say what is missing.';
const NONE_ZH = '没有答案。请勿再问同样的问题，也不要自己编造答案；可以不依赖它继续，或停下来说明还缺什么。';
const EXPIRED =
  'Nobody answered in time. Nobody decided: this is neither a yes nor a no. Do not ask the same again now.';
const EXPIRED_ZH = '没有人在时限内答复。没有人作出决定：这既不是同意，也不是拒绝。请勿马上再问同样的问题。';

/** Every end in English, in Chinese, and in a source's own words. */
const CASES: Record<string, [actual: string[], expected: string[]]> = {
  'a person answered': [told({ outcome: 'answered', answer: { text: 'Yes' }, by: PERSON }), ['Yes', 'Yes', 'Yes']],
  'a person approved': [
    told({ outcome: 'answered', answer: decided('approve'), by: PERSON }, undefined, CALL),
    ['Approved: `Bash`, no arguments.', '批准：`Bash`，无参数。', 'Approved: `Bash`, no arguments.'],
  ],
  'a person declined': [
    told({ outcome: 'declined', by: PERSON }),
    [DECLINED, DECLINED_ZH, 'mara will not say about “Ship?”: '],
  ],
  'a person declined with words': [
    told({ outcome: 'declined', message: 'Not {who}.', by: PERSON }),
    [
      `${DECLINED}\nTheir words: Not {who}.`,
      `${DECLINED_ZH}\n对方的话： Not {who}.`,
      'mara will not say about “Ship?”: Not {who}.',
    ],
  ],
  'nobody answered': [
    told({ outcome: 'expired', by: DEADLINE }),
    [EXPIRED, EXPIRED_ZH, `“Ship?” ran out at ${DEADLINE_AT}.`],
  ],
  'a rule says that nobody answered': [
    told({ outcome: 'expired', by: RULE }),
    [EXPIRED, EXPIRED_ZH, `“Ship?” ran out at ${DEADLINE_AT}.`],
  ],
  'the asker’s own proposal stands': [
    told({ outcome: 'expired', answer: { text: 'Yes' }, by: DEADLINE }),
    [
      'Nobody answered in time. What follows was the asker’s own proposal, not a person’s decision:\nYes',
      '没有人在时限内答复。以下只是提问方自己的建议，不是人的决定：\nYes',
      'Nobody answered in time. What follows was the asker’s own proposal, not a person’s decision:\nYes',
    ],
  ],
  'it was taken back': [
    told({ outcome: 'withdrawn', message: 'Found it.', by: SOURCE }),
    [
      'The question was taken back before anybody answered. Do not ask the same again.\nReason: Found it.',
      '这个问题在有人答复之前已被收回。请勿再问同样的问题。\n原因： Found it.',
      'Never mind “Ship?”.\nReason: Found it.',
    ],
  ],
  'a rule hands it back': [
    told({ outcome: 'declined', by: RULE }, 'you-decide'),
    [
      'Decide this yourself: a rule hands it back to you, and nobody was asked. That approves nothing.',
      '请自行决定：一条规则把它交还给你，没有询问任何人。这不代表批准任何操作。',
      'Your call: Ship? (Nights).',
    ],
  ],
  'a rule answered': [
    told({ outcome: 'answered', answer: { text: 'Yes' }, by: RULE }),
    [`Yes\n${RULED}`, `Yes\n${RULED_ZH}`, 'Yes\n[rule Nights]'],
  ],
  'a rule rejected': [
    told({ outcome: 'answered', answer: decided('reject'), by: RULE }, undefined, CALL),
    [`Rejected: ${NAMED} No.\n${RULED}`, `拒绝：${NAMED_ZH}No.\n${RULED_ZH}`, `Rejected: ${NAMED} No.\n[rule Nights]`],
  ],
  'a rule declined': [
    told({ outcome: 'declined', message: 'Not now.', by: RULE }),
    [
      `${RULED}\n${NONE}\nReason: Not now.`,
      `${RULED_ZH}\n${NONE_ZH}\n原因： Not now.`,
      `[rule Nights]\n${NONE}\nReason: Not now.`,
    ],
  ],
  'chance chose': [
    told({ outcome: 'answered', answer: { text: 'Yes' }, by: RULE }, 'random'),
    [
      'Yes\nA rule chose this at random; nobody decided.',
      'Yes\n这是一条规则随机选出的；没有人作出决定。',
      'Yes\nA rule chose this at random; nobody decided.',
    ],
  ],
  'a decider answered': [
    told({ outcome: 'answered', answer: { text: 'Yes' }, by: DECIDER }),
    [`Yes\n${HELPED}`, `Yes\n${HELPED_ZH}`, 'Yes\n[decider Helper, Ship?]'],
  ],
  'a decider answered in the place of a call': [
    told({ outcome: 'answered', answer: decided('respond'), by: DECIDER }, undefined, CALL),
    [
      `Not run: ${NAMED} Answered in its place: No.\n${HELPED}`,
      `没有执行：${NAMED_ZH}直接答复： No.\n${HELPED_ZH}`,
      `Not run: ${NAMED} Answered in its place: No.\n[decider Helper, Bash]`,
    ],
  ],
  'a decider declined': [
    told({ outcome: 'declined', by: DECIDER }),
    [`${HELPED}\n${NONE}`, `${HELPED_ZH}\n${NONE_ZH}`, `[decider Helper, Ship?]\n${NONE}`],
  ],
};

test('[RES4] every end has words that say who decided, or that nobody did', () => {
  deepStrictEqual(
    Object.entries(CASES).map(([name, [actual]]) => [name, actual]),
    Object.entries(CASES).map(([name, [, expected]]) => [name, expected]),
  );
});

test('[POL5] what a rule or a decider decided bears a note, which can be told from what they said', () => {
  const of = (by: By) =>
    writeOutcome({
      asked: PROMPT,
      resolution: { outcome: 'answered', answer: { text: 'Yes' }, by },
      language: 'en',
      deadlineAt: '',
    });
  deepStrictEqual(
    [RULE, DECIDER, PERSON].map((by) => [of(by).note, saidIn(of(by))]),
    [
      [RULED, 'Yes'],
      [HELPED, 'Yes'],
      [undefined, 'Yes'],
    ],
  );
});

test('what a variable holds is inserted as it is', () => {
  const values = { title: '{who}', who: '{message} $& $1', message: '{title}' };
  deepStrictEqual(
    ['{title}{who}{message}', '{deadline} {toString} {__proto__} { title } {}'].map((text) => filled(text, values)),
    ['{who}{message} $& $1{title}', '{deadline} {toString} {__proto__} { title } {}'],
  );
});

test('a text that names what it does not know is refused with each such name', () => {
  const texts = {
    declined: '{who} {title} {message} {deadline}',
    expired: '{title} {who} {标题} {who}',
    withdrawn: '{"a": {}} {reason}',
    byRule: '{toString}',
    other: 'x',
  };
  const { error } = Schema.safeParse(texts);
  deepStrictEqual(
    toFaults(error!).map(({ path, message }) => `${path} ${message}`),
    [
      '/expired names {who}, {标题}; it can name {title}, {deadline}',
      '/withdrawn names {reason}; it can name {title}, {message}',
      '/byRule names {toString}; it can name {title}, {who}',
      '/other is not a member this call knows',
    ],
  );
});
