import type { Ask } from '#shared/inquiry.ts';

const DAYS = [
  { value: 'mon', label: 'Monday, before the audit', description: 'The office is empty then.' },
  { value: 'wait', label: 'Wait until the numbers are in' },
];

const HOTELS = [
  {
    value: 'fleurs',
    label: 'Rue des Fleurs',
    description: 'Ten minutes from the station.',
    preview:
      '### Rue des Fleurs\n\n| room | euros |\n|---|---:|\n| to the yard | 94 |\n| to the street | 81 |\n\n- breakfast **until ten**\n- no lift',
  },
  { value: 'gare', label: 'Opposite the station', preview: 'Loud, but `2 min` away.' },
];
const PEOPLE = ['Jonas', 'Petra', 'Yuki'].map((label) => ({ value: label.toLowerCase(), label }));
const COUNTRIES = ['Austria', 'Belgium', 'China', 'Denmark', 'France', 'Germany', 'Italy', 'Japan', 'Sweden'];

const TRIP = {
  type: 'object',
  required: ['name', 'seats', 'class'],
  properties: {
    name: { type: 'string', title: 'Name on the ticket', minLength: 2, maxLength: 60 },
    seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 4 },
    budget: { type: 'number', title: 'At most, in euros', minimum: 0, maximum: 900, default: 250 },
    mail: { type: 'string', title: 'Where to', format: 'email' },
    page: { type: 'string', title: 'Where the conference stands', format: 'uri' },
    day: { type: 'string', title: 'Day', format: 'date' },
    leave: { type: 'string', title: 'Not before', format: 'date-time', description: 'The train before that is full.' },
    country: { anyOf: COUNTRIES.map((title, at) => ({ const: `c${at}`, title })), title: 'Passport of' },
    window: { type: 'boolean', title: 'At the window' },
    class: { type: 'string', title: 'Class', enum: ['first', 'second'] },
    extras: { type: 'array', title: 'Extras', items: { type: 'string', enum: ['bicycle', 'dog', 'meal'] } },
  },
};

const RICH = `Why does the build fail?

The log says **three** things, of which only the last matters:

1. \`npm ci\` warns of a *deprecated* package
2. the cache is cold
3. \`tsc\` cannot find \`node:sqlite\`

| step | seconds | result |
|---|---:|---|
| install | 41 | fine |
| build | 3 | stops |

> A warning is no error, says [the handbook](https://example.com/handbook).

\`\`\`ts
import { DatabaseSync } from 'node:sqlite';
\`\`\``;

const GUIDE = `## Before you upgrade

Back up the database. With **SQLite**, copy \`data/beckon.db\` while the hub is stopped, as [the handbook](https://example.com/handbook) says.

How long may the hub be down?

Who must be told?

## Going back

1. Stop the hub.
2. Restore the copy.
   - the database
   - the key
3. Which *switch* starts 2.3?

| step | seconds | who |
|---|---:|---|
| stop | 3 | |
| copy | 41 | |

- [x] tested on staging
- [ ] tested on a phone

> Nobody lost a letter so far.
>
> > Not one?

\`\`\`sh
beckon serve --restored
\`\`\`

Answer:
`;

const CONTEXT = {
  agent: 'deploy-bot',
  cwd: '/srv/shop/checkout',
  runId: 'run-1077',
  links: [{ label: 'The run', url: 'https://ci.example.com/runs/1077' }],
};

/** One ask of every kind, by what its picture is called. */
export const SAMPLES: Record<string, Ask> = {
  text: { prompt: RICH, context: CONTEXT },
  'text-suggested': { prompt: 'How shall I sign off?', suggested: { text: 'Kind regards, Mara' } },
  choice: {
    questions: [{ id: 'day', type: 'choice', prompt: 'When may checkout go live?', options: DAYS, allowOther: true }],
    suggested: { values: { day: 'wait' } },
    context: CONTEXT,
  },
  'choice-two': {
    prompt: 'All 214 tests passed. The migration adds one column and takes about 40 seconds.',
    title: 'Release 2.4 to production now, or wait until Monday?',
    questions: [
      {
        id: 'when',
        type: 'choice',
        prompt: 'Release 2.4 to production now, or wait until Monday?',
        options: [
          { value: 'now', label: 'Release now', description: 'everyone has it by 14:20' },
          { value: 'wait', label: 'Wait until Monday', description: 'Monday 09:00, after the stand-up' },
        ],
        allowOther: true,
      },
    ],
    suggested: { values: { when: 'wait' } },
    context: CONTEXT,
  },
  multi: {
    questions: [
      {
        id: 'days',
        type: 'multi',
        prompt: 'Which of these may be switched off over the holidays?',
        options: ['The staging hub', 'The nightly report', 'The old search'].map((label) => ({ value: label, label })),
        min: 2,
        allowOther: true,
      },
    ],
  },
  several: {
    title: 'The trip to Lyon',
    prompt: 'The trip to Lyon\n\nFive short questions, then I book.',
    questions: [
      { id: 'day', type: 'choice', prompt: 'Which day suits you?', options: DAYS },
      {
        id: 'hotel',
        type: 'choice',
        prompt: 'Which hotel?',
        options: HOTELS,
        allowOther: true,
      },
      { id: 'with', type: 'multi', prompt: 'Who comes along?', options: PEOPLE, required: false, max: 2 },
      { id: 'note', type: 'text', prompt: 'Anything the hotel should know?', required: false, multiline: true },
      { id: 'ticket', type: 'form', prompt: 'Who travels, and how?', schema: TRIP },
    ],
  },
  'several-suggested': {
    title: 'The trip to Lille',
    questions: [
      { id: 'day', type: 'choice', prompt: 'Which day suits you?', options: DAYS },
      { id: 'with', type: 'multi', prompt: 'Who comes along?', options: PEOPLE },
      { id: 'note', type: 'text', prompt: 'Anything the hotel should know?' },
    ],
    suggested: { values: { day: 'wait', with: ['jonas'], note: 'A quiet room, please' } },
  },
  form: { questions: [{ id: 'ticket', type: 'form', prompt: 'Who travels, and how?', schema: TRIP }] },
  'form-suggested': {
    questions: [{ id: 'ticket', type: 'form', prompt: 'Shall I book it like this?', schema: TRIP }],
    suggested: {
      values: { ticket: { name: 'Mara Lind', seats: 2, budget: 300, window: true, class: 'first', extras: ['meal'] } },
    },
  },
  'form-json': {
    questions: [
      {
        id: 'route',
        type: 'form',
        prompt: 'Which way shall it go?',
        schema: { type: 'object', properties: { stops: { type: 'array', items: { type: 'object' } } } },
      },
    ],
  },
  secret: { questions: [{ id: 'key', type: 'text', prompt: 'What is the key of the registry?', secret: true }] },
  document: {
    title: 'Please read over the upgrade guide. I left four gaps.',
    document: { markdown: GUIDE },
    context: CONTEXT,
  },
  'document-suggested': {
    title: 'The letter to the tenants',
    document: { markdown: '# Dear all\n\nThe rent stays as it is.\n\nWith kind regards' },
    suggested: { markdown: '# Dear all\n\nThe rent stays as it is until May.\n\nWith kind regards' },
  },
  call: {
    prompt: 'May I refund Anna 340.00 euros?',
    actions: [
      {
        name: 'refund',
        args: { order: 'A-1077', amount: 340, lines: [{ sku: 'lamp', count: 2 }] },
        allowed: ['approve', 'edit', 'reject', 'respond'],
      },
    ],
    context: CONTEXT,
  },
  'call-diff': {
    actions: [
      {
        name: 'write_file',
        args: {},
        allowed: ['approve', 'reject'],
        diff: [
          {
            path: 'src/tax.ts',
            oldText: 'const vat = 0.19;\nexport { vat };',
            newText: 'const vat = 0.2;\nexport { vat };',
          },
        ],
      },
    ],
  },
  'call-files': {
    title: 'May I move the sign-in to its own folder?',
    actions: [
      {
        name: 'Write',
        args: {},
        diff: ['index', 'state', 'words', 'routes', 'form', 'test'].map((name) => ({
          path: `src/sign-in/${name}.ts`,
          oldText: '',
          newText: Array.from({ length: 12 }, (_, line) => `export const ${name}${line} = ${line};`).join('\n'),
        })),
        allowed: ['approve', 'reject'],
        caution: true,
      },
    ],
    context: CONTEXT,
  },
  'call-patch': {
    actions: [
      {
        name: 'apply_patch',
        args: {
          input:
            '*** Begin Patch\n*** Delete File: src/old.ts\n*** Update File: src/port.ts\n*** Move to: src/net/port.ts\n' +
            '@@ export\n export const host = "0.0.0.0";\n-export const port = 3000;\n+export const port = 8080;\n' +
            '*** End Patch',
        },
        allowed: ['approve', 'reject'],
      },
    ],
    context: CONTEXT,
  },
  'call-options': {
    actions: [
      {
        name: 'bash',
        args: { command: 'npm install left-pad && npm test', timeout: 60 },
        allowed: ['approve', 'reject', 'edit'],
        options: [
          { id: 'once', label: 'Allow once', type: 'approve' },
          { id: 'always', label: 'Always allow', type: 'approve', remember: 'npm, in this folder' },
          { id: 'no', label: 'No, and stop', type: 'reject' },
        ],
      },
    ],
    context: CONTEXT,
  },
  caution: {
    prompt: 'May I drop the table customers?',
    actions: [
      { name: 'sql', args: { statement: 'drop table customers' }, allowed: ['approve', 'reject'], caution: true },
    ],
  },
  batch: {
    title: 'May I make these three calls?',
    actions: [
      { name: 'Bash', args: { command: 'git push origin main' }, allowed: ['approve', 'edit', 'reject'] },
      { name: 'Bash', args: { command: 'npm publish' }, allowed: ['approve', 'edit', 'reject', 'respond'] },
      { name: 'close', args: { ticket: 7 }, description: 'Close the ticket', allowed: ['approve', 'reject'] },
    ],
  },
  link: {
    prompt: 'Please sign the lease',
    link: { url: 'https://sign.example.com/lease/1077?token=abc', completes: 'self' },
  },
  chinese: {
    questions: [
      {
        id: 'when',
        type: 'choice',
        prompt: '结账页面什么时候上线？',
        options: [
          { value: 'mon', label: '星期一，审计之前' },
          { value: 'wait', label: '等数据出来再说' },
        ],
      },
    ],
    context: { language: 'zh' },
  },
};
