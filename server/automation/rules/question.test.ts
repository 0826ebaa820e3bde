import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Ask, Option, Question } from '#shared/inquiry.ts';
import type { QuestionOfRule, Then } from '#shared/policies/rule.ts';
import { makeTitle } from '../../inquiries/check.ts';
import { ruledBy, toAsking } from './by-rule.ts';
import { prepare, search } from './rules.ts';

const SRC = 'src_00000000000000000000000001';
const YES: Option = { value: 'y', label: 'Yes' };
const NO: Option = { value: 'n', label: 'No' };
const LINKS = [{ label: 'Change', url: 'https://x.test/1' }];
const choice = (more: object = {}): Question => ({
  id: 'c',
  type: 'choice',
  prompt: 'Ship it?',
  options: [YES, NO],
  ...more,
});
const asking = (...questions: Question[]): Ask => ({ questions });
const SHIP: QuestionOfRule = { prompt: 'Ship it?', options: [YES, NO] };

const found = (question: QuestionOfRule, ask: Ask, then: Then = { answer: 'y' }, sourceId = SRC) => {
  const list = prepare([{ name: 'r', when: { source: SRC, question }, then }], 'UTC');
  return search([list], { sourceId, now: 0, ...toAsking(ask) });
};
const fits = (...given: Parameters<typeof found>) => found(...given) !== undefined;

/** What is not the question "Ship it?" with Yes or No, however near it comes. */
const OTHERS: Record<string, Ask> = {
  'other options': asking(choice({ options: [YES, { value: 'l', label: 'Later' }] })),
  'one option more': asking(choice({ options: [YES, NO, { value: 'l', label: 'Later' }] })),
  'another order': asking(choice({ options: [NO, YES] })),
  'swapped labels': asking(
    choice({
      options: [
        { value: 'y', label: 'No' },
        { value: 'n', label: 'Yes' },
      ],
    }),
  ),
  'another value': asking(choice({ options: [{ ...YES, value: 'yes' }, NO] })),
  'a description': asking(choice({ options: [{ ...YES, description: 'To everybody.' }, NO] })),
  'an empty description': asking(choice({ options: [{ ...YES, description: '' }, NO] })),
  'a preview': asking(choice({ options: [{ ...YES, preview: 'rm -rf /' }, NO] })),
  'a title': { title: 'Production', ...asking(choice()) },
  'an introduction': { prompt: 'All tests fail.', ...asking(choice()) },
  'a header': asking(choice({ header: 'Production' })),
  'a second question': asking(choice(), choice({ id: 'd', prompt: 'Where to?' })),
  'the same question twice': asking(choice(), choice({ id: 'd' })),
  'several of the options': asking(choice({ type: 'multi' })),
  'free words': asking({ id: 'c', type: 'text', prompt: 'Ship it?' }),
  'a form': asking({ id: 'c', type: 'form', prompt: 'Ship it?', schema: {} }),
  'links beside it': { ...asking(choice()), context: { links: LINKS } },
  'a prompt alone': { prompt: 'Ship it?' },
  'a document': { prompt: 'Ship it?', document: { markdown: 'Ship it?' } },
  'a page': { prompt: 'Ship it?', link: { url: 'https://x.test/', completes: 'self' } },
  'a call': { prompt: 'Ship it?', actions: [{ name: 'Ship it?', args: {}, allowed: ['approve'] }] },
  'a blank': asking(choice({ prompt: 'Ship it? ' })),
  'a line end': asking(choice({ prompt: 'Ship\nit?' })),
  'another case': asking(choice({ prompt: 'ship it?' })),
  'an invisible letter': asking(choice({ prompt: 'Ship\u200b it?' })),
  'letters of another width': asking(choice({ prompt: 'Ｓhip it?' })),
  'a letter of another script': asking(choice({ prompt: 'Ship іt?' })),
  'a label that looks the same': asking(choice({ options: [{ ...YES, label: 'Yes\u200b' }, NO] })),
};

test('[POL1] a rule for a question answers it word for word with these options, and nothing that comes near it', () => {
  const wrong = Object.entries(OTHERS).filter(([, ask]) => fits(SHIP, ask));
  deepStrictEqual(wrong, []);
  deepStrictEqual(fits(SHIP, asking(choice()), undefined, 'src_00000000000000000000000002'), false);
  const same = [{ required: true }, { allowOther: true }, { id: 'other' }].map((more) => asking(choice(more)));
  deepStrictEqual(
    [asking(choice()), { ...asking(choice()), urgency: 'high' as const }, ...same].filter((ask) => !fits(SHIP, ask)),
    [],
  );
});

test('[POL1] where a question cannot be told from that of a rule, the rule asks or declines and answers nothing', () => {
  const asks = Object.entries(OTHERS).filter(([, ask]) => fits(SHIP, ask, 'ask'));
  deepStrictEqual(
    asks.map(([name]) => name),
    [
      'a second question',
      'the same question twice',
      'several of the options',
      'links beside it',
      'a blank',
      'a line end',
      'another case',
      'an invisible letter',
      'letters of another width',
      'a label that looks the same',
    ],
  );
});

test('a question is the title that its asker wrote, the introduction, the header and the prompt', () => {
  const ask: Ask = { title: 'Production', prompt: 'All is green.', ...asking(choice({ header: 'Release 4' })) };
  const prompt = 'Production\n\nAll is green.\n\nRelease 4\n\nShip it?';
  strictEqual(fits({ ...SHIP, prompt }, ask), true);
  const text: Ask = { title: 'Release', prompt: 'Where to?' };
  deepStrictEqual(
    [fits({ prompt: 'Release\n\nWhere to?' }, text, { answer: 'Main' }), fits({ prompt: 'Where to?' }, text)],
    [true, false],
  );
});

test('a title that the hub made of a question is none of its words, so that it reads the same once it is stored', () => {
  const asks: Ask[] = [
    { prompt: 'Where to?\n\nThe train waits.' },
    asking(choice()),
    asking(choice({ header: 'Release' })),
    { prompt: 'All is green.', ...asking(choice()) },
  ];
  const read = asks.map((ask) => toAsking(ask).questions());
  deepStrictEqual(
    asks.map((ask) => toAsking({ ...ask, title: makeTitle(ask) }).questions()),
    read,
  );
});

test('[POL4] a rule for a question says yes to no call, whatever it says besides', () => {
  const call: Ask = { prompt: 'Ship it?', actions: [{ name: 'Bash', args: {}, allowed: ['approve'] }] };
  deepStrictEqual([fits(SHIP, call, 'approve'), fits({ prompt: 'Ship it?' }, call, 'approve')], [false, false]);
  const secret: Ask = asking({ id: 'c', type: 'text', prompt: 'Key?', secret: true });
  const rule = found({ prompt: 'Key?' }, secret);
  deepStrictEqual(typeof rule === 'object' && ruledBy(rule, secret), undefined);
});

test('a thousand rules for questions read what is asked once', () => {
  const rules = Array.from({ length: 1000 }, (_, at) => ({
    name: `r${at}`,
    when: { source: SRC, question: { ...SHIP, prompt: `Ship ${at}?` } },
    then: { answer: 'y' },
  }));
  let read = 0;
  const options = new Proxy([YES, NO], {
    ownKeys: (of) => Reflect.ownKeys(of),
    get: (of, name, by) => {
      if (name === 'map') read++;
      return Reflect.get(of, name, by) as unknown;
    },
  });
  const ask = asking(choice({ options }));
  deepStrictEqual([search([prepare(rules, 'UTC')], { sourceId: SRC, now: 0, ...toAsking(ask) }), read], [undefined, 1]);
});
