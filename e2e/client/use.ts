// Typed by what `openapi-typescript` makes of the hub's reference, which the test puts beside it.
import createClient from 'openapi-fetch';
import type { components, operations, paths, webhooks } from './hub.d.ts';

declare const process: { argv: string[] };
declare const console: { log(line: string): void };

type Body = { content: { 'application/json': unknown } };
type Told = webhooks['inquiry.resolved']['post']['requestBody'] & Body;

const [, , baseUrl = '', key = ''] = process.argv;
const hub = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } });

/** What a receiver of the hub's webhooks says of one. */
function said({ type, data }: Told['content']['application/json']): string {
  return `${type}: ${data.state}`;
}

const ask: components['schemas']['Ask'] = {
  prompt: 'Which colour?',
  questions: [{ id: 'colour', type: 'choice', prompt: 'Colour', options: [{ value: 'teal', label: 'Teal' }] }],
  deadline: 600,
};
const asked = await hub.POST('/v1/inquiries', { body: ask });
if (!asked.data) throw new Error(asked.error.detail);
const { id } = asked.data;
const read = await hub.GET('/v1/inquiries/{id}', { params: { path: { id }, query: { wait: 60 } } });
// Typed before it is passed: the client's own types let further members of what is passed be.
const query: operations['listInquiries']['parameters']['query'] = { state: 'answered', limit: 5 };
const listed = await hub.GET('/v1/inquiries', { params: { query } });
// @ts-expect-error The member is called deadline.
const wrong: components['schemas']['Ask'] = { prompt: 'And the shade?', dedline: 600 };
const refused = await hub.POST('/v1/inquiries', { body: wrong });

type Answer = components['schemas']['AnswerBody'];
/** What a device may send, and what does not compile because no inquiry takes it. */
export const answers: Answer[] = [
  { response: 'Teal' },
  { values: { colour: 'teal' }, other: { shade: 'dark' }, answerId: 'tap-1' },
  { decisions: [{ type: 'approve' }], digest: '4b6a' },
  { outcome: 'declined', message: 'Ask me on Monday.' },
  // @ts-expect-error Decisions name the digest of what was shown.
  { decisions: [{ type: 'approve' }] },
  // @ts-expect-error There is no such decision.
  { decisions: [{ type: 'allow' }], digest: '4b6a' },
  // @ts-expect-error An answer holds something.
  { outcome: 'answered' },
  // @ts-expect-error A decline holds no answer.
  { outcome: 'declined', text: 'Teal' },
  // @ts-expect-error The member is called response.
  { reply: 'Teal' },
];

console.log(
  JSON.stringify({
    asked: [asked.response.status, asked.data.state, asked.data.questions?.map(({ type }) => type)],
    read: read.data && [read.data.id === id, read.data.state, read.data.resolution?.answer?.values],
    listed: listed.data?.items.map((one) => [one.id === id, one.state]),
    refused: [refused.error?.status, refused.error?.code, refused.error?.faults?.map(({ path }) => path)],
    said: read.data && said({ type: 'inquiry.resolved', timestamp: '2027-01-31T12:00:00Z', data: read.data }),
  }),
);
