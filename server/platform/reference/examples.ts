import { ANSWERED, ASKS } from '#shared/reference/examples.ts';

const { id: inquiry, digest, source } = ANSWERED;
const decider = 'dcd_01k9zq5n3w8d4j9y6v7s1p2e3g';
const delivery = 'dlv_01k9zq6p4x9e5k0z7w8t2q3f4h';
const passkey = 'pky_01k9zqh1f89s6y1n8795d24t5w';
const signed = { id: 'fA3kQ9', type: 'public-key', response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0' } };
const rule = {
  name: 'Reads of the shop',
  when: { source: source.id, tool: ['read_*', 'list_*'] },
  then: 'approve',
};
const connection = {
  name: 'Support desk',
  kind: 'langgraph',
  baseUrl: 'https://agents.example.com',
  to: ['anna'],
};

/** What each operation with a body may be sent, by its id; those of dialects are their recorded asks. */
export const BODIES: Record<string, unknown> = {
  ask: ASKS[1],
  withdrawInquiry: { reason: 'The release was called off.' },
  withdrawAsk: { reason: 'The run was stopped.' },
  answerInquiry: { decisions: [{ type: 'reject', message: 'Not on a Friday.' }], digest },
  challengeAnswer: { decisions: [{ type: 'approve' }], digest },
  extendInquiry: { seconds: 900 },
  markInquiry: { kind: 'opened' },
  setInquiryApart: { at: '2026-11-20T13:00:00.000Z' },
  askDecider: { insteadOf: 'decline', message: 'I am away until Monday.' },
  sendNotice: { title: 'Version 1.4 is out', body: 'All **57** checks passed.', to: ['ops'], key: 'release-1.4' },
  markPush: { id: 'digest' },
  putSubscription: {
    endpoint: 'https://push.example.com/send/fA3kQ9',
    keys: {
      p256dh: 'BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM',
      auth: 'tBHItJI5svbpez7KI4CCXg',
    },
    vapidPublicKey: 'BOtBVgsHVWXzwhDAoFE8P2IgQvabz_tuJjIlNacmS3XZ3fRDuVWiBp8bPR3vHCA78edquclcXXYb-olcj3QtIZ4',
  },
  chooseWeeklyTest: { weeklyTest: true },
  changeMe: { name: 'Anna Berg', locale: 'en', privacy: 'title', preferences: { undoSeconds: 5 } },
  renameDevice: { name: 'Work phone' },
  challengePasskey: { does: 'remove', id: passkey },
  beginPasskey: {},
  addPasskey: { name: 'Work laptop', response: signed },
  printCodes: { assertion: signed },
  renamePasskey: { name: 'Work laptop' },
  removePasskey: { code: '7k2m-9xpq-4t8w-hn3d' },
  requirePasskeys: { scope: 'caution' },
  releasePasskeys: { scope: 'caution', assertion: signed },
  enroll: { handle: 'anna', deviceName: 'Phone' },
  redeemEnrolment: { secret: 'bke_4tqkT2xJcVwq0m1vY7aZpQ', deviceName: 'Phone' },
  confirmEnrolment: { number: '42' },
  allowEnrolment: { userCode: 'WDJB-MJHT' },
  requestSource: { client_id: 'release-bot', client_name: 'Release bot', host_name: 'ci-3' },
  collectSource: {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS3g',
    client_id: 'release-bot',
  },
  checkAddress: { address: 'https://beckon.example.com' },
  createGroup: { handle: 'ops', name: 'Operations', members: ['anna', 'owner'] },
  changeGroup: { members: ['anna', 'ben', 'owner'] },
  invitePerson: { handle: 'anna', name: 'Anna Berg', locale: 'en' },
  previewPolicies: { of: 'me', rules: [rule] },
  putOwnPolicies: { version: 3, rules: [rule] },
  putHubPolicies: { version: 0, rules: [{ ...rule, then: { ask: ['ops'] } }] },
  createDecider: {
    kind: 'chat',
    name: 'Release model',
    url: 'https://models.example.com/v1/chat/completions',
    model: 'large',
    instructions: 'Approve what only reads. Leave everything else to me.',
    holdSeconds: 30,
  },
  changeDecider: { off: true },
  testDecider: { prompt: 'May I read the log?' },
  startYolo: { calls: 'approve', sources: [source.id], until: 3600 },
  askForYolo: { minutes: 30, reason: 'Forty migrations that were reviewed already.' },
  consumeReceipt: {
    receipt: 'eyJhbGciOiJFZERTQSJ9.eyJpc3MiOiJodHRwczovL2h1Yi5leGFtcGxlIn0.c2lnbmVk',
    tool: 'refund',
    args: { cents: 1200 },
  },
  createSource: { name: 'Release bot', mayAsk: ['anna', 'ops'], webhookUrl: 'https://ci.example.com/beckon' },
  changeSource: { webhooksPaused: true, decider: { id: decider, suggests: true, actions: false, agentMayAsk: false } },
  createConnection: connection,
  checkNewConnection: connection,
  changeConnection: { enabled: false },
  renewAddress: {},
  checkConnection: {},
  putGate: {
    upstream: { url: 'https://crm.example.com/mcp', headers: { authorization: 'Bearer 4f1c9e' } },
    rules: [
      { tool: 'drop_*', does: 'deny' },
      { when: { annotation: 'read-only' }, does: 'allow' },
    ],
    to: ['anna'],
  },
};

/** What a parameter may be, by its name; `id` and `cursor` by what the path lists. */
const PARAMETERS: Record<string, unknown> = {
  wait: 60,
  alg: 'ES256',
  audience: 'https://bank.example.com',
  limit: 20,
  state: 'delivered',
  q: 'release',
  outcome: 'answered',
  source: source.id,
  after: '2026-11-01T00:00:00.000Z',
  before: '2026-12-01T00:00:00.000Z',
  by: 'me',
  rule: 'rul_01k9zq7r5y0f6m1a8x9v3r4g5j',
  late: 'true',
  format: 'csv',
  days: '30',
  to: ['anna', 'ops'],
  deadline: 3600,
  validFor: 600,
  urgency: 'high',
  privacy: 'title',
  title: 'Ship version 1.4?',
  agent: 'Release agent',
  language: 'en',
  callback: 'https://ci.example.com/beckon',
  answer: 'confirm',
  dialect: 'langgraph',
  'Idempotency-Key': 'run-7f3a-step-12',
  Prefer: 'wait=30',
  'Last-Event-ID': '3',
  unread: 'true',
  name: 'crm',
};

const IDS: Record<string, string> = {
  inquiries: inquiry,
  inbox: inquiry,
  history: inquiry,
  deliveries: delivery,
  notices: 'ntc_01k9zq8s6z1g7n2b9y0w4s5h6k',
  devices: 'dev_01k9zq1a3b5c7d9e1f3g5h7j9k',
  passkeys: passkey,
  enrolments: 'enr_01k9zq9t701h8p3c0z1x5t6j7m',
  groups: 'grp_01k9zqat812j9q4d102y6v7k8n',
  people: 'per_01k9zqbv923k0r5e213z7w8m9p',
  deciders: decider,
  proposals: 'prp_01k9zqcwa34m1s6f32408x9n0q',
  yolo: 'yol_01k9zqdxb45n2t7g43519y0p1r',
  sources: source.id,
  connections: source.id,
  asks: 'ask_01k9zqfzd67q4w9j6573b02r3t',
};

const CONTACT = 'ctc_01k9zqg0e78r5x0m7684c13s4v';

/** What a parameter of this path may be. */
export function parameterExample(path: string, name: string): unknown {
  const of = path.split('/')[2] ?? '';
  if (name === 'cursor' && path.endsWith('/contacts')) return CONTACT;
  if (name === 'after' && of === 'audit') return 4118;
  if (name === 'id' || name === 'cursor') return IDS[of];
  return name === 'state' && of === 'inquiries' ? 'open' : PARAMETERS[name];
}
