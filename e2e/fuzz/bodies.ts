const schema = {
  type: 'object',
  properties: { constructor: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
  required: ['count'],
};
const options = [
  { value: 'constructor', label: 'One' },
  { value: 'b', label: 'Two', description: 'The other', preview: '**b**' },
];

/** Asks of every kind, each valid as it stands. */
export const ASKS = [
  {
    prompt: 'Which way? 🙈 שלום',
    deadline: 600,
    latest: 900,
    urgency: 'high',
    privacy: 'full',
    group: 'g',
    correlation: { a: [1, { b: null }] },
  },
  {
    title: 'All of it',
    questions: [
      { id: 'constructor', type: 'text', prompt: 'Why?', multiline: true, required: false },
      { id: 'toString', type: 'choice', prompt: 'Which?', options, allowOther: true },
      { id: 'many', type: 'multi', prompt: 'Which ones?', options, min: 1, max: 2 },
      { id: 'form', type: 'form', prompt: 'Fill in', schema },
      { id: 'pin', type: 'text', prompt: 'The PIN', secret: true },
    ],
    suggested: { values: { toString: 'b' } },
    context: {
      agent: 'fuzz',
      threadId: 't',
      runId: 'r',
      cwd: '/',
      language: 'zh-Hant',
      links: [{ label: 'Log', url: 'https://example.com/log' }],
    },
  },
  {
    prompt: 'Read this',
    document: { markdown: '# Draft' },
    suggested: { markdown: '# Better' },
    onExpire: 'suggested',
  },
  {
    actions: [
      {
        id: 'x',
        name: 'send',
        args: { to: 'a', n: 1 },
        allowed: ['approve', 'edit', 'reject', 'respond'],
        argsSchema: schema,
        caution: true,
      },
      {
        name: 'delete',
        args: ['a'],
        allowed: ['approve', 'reject'],
        options: [
          { id: 'y', label: 'Yes', type: 'approve', remember: 'always', data: { raw: true } },
          { id: 'n', label: 'No', type: 'reject', stop: true },
        ],
        diff: [{ path: 'a.ts', oldText: 'a', newText: 'b' }],
      },
    ],
  },
  { link: { url: 'https://example.com/pay', completes: 'self' }, callback: { url: 'https://beckon.invalid/hook' } },
] as const;

/** Answers, one at least for each of the asks. */
export const ANSWERS = [
  { text: 'left', answerId: 'a-1', digest: 'x' },
  { values: { constructor: 'why', toString: 'b', many: ['b'], form: { count: 2 }, pin: '1234' }, other: {} },
  { markdown: '# Mine' },
  {
    decisions: [
      { type: 'edit', args: { count: 1 } },
      { type: 'approve', optionId: 'y' },
    ],
    digest: 'x',
  },
  {
    decisions: [
      { type: 'edit', argsText: '{"count":9007199254740993}' },
      { type: 'reject', optionId: 'n' },
    ],
  },
  { outcome: 'declined', message: 'no' },
  { response: 'b', late: true, via: 'notification' },
] as const;

const RULES = [
  { name: 'git', when: { tool: 'git_*', args: { '/path': { under: '/home/me' } } }, then: 'approve' },
  { name: 'shell', when: { shell: ['git status', 'ls *'] }, then: { reject: 'no' }, until: '2099-01-01T00:00:00Z' },
  { name: 'night', when: { time: { from: '22:00', to: '07:00' }, kind: 'text' }, then: 'ask-quietly' },
];

/** Valid bodies of each call that takes one; the walk over /docs/json fails for a call that has none here. */
export const BODIES: Record<string, readonly object[]> = {
  'POST /v1/inquiries': ASKS,
  'POST /v1/ask/{dialect}': [
    [{ id: 'i', value: { action_requests: [{ name: 'pay', args: { euros: 3 } }], review_configs: [] } }],
    {
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      hook_event_name: 'PreToolUse',
      session_id: 's',
      tool_use_id: 't',
    },
    { message: 'Where to?', requestedSchema: { type: 'object', properties: { place: { type: 'string' } } } },
  ],
  'POST /v1/asks/{id}/withdraw': [{ reason: 'no longer' }],
  'POST /v1/inquiries/{id}/answer': ANSWERS,
  'POST /v1/inquiries/{id}/withdraw': [{ reason: 'no longer' }],
  'POST /v1/inquiries/{id}/extend': [{ seconds: 60 }],
  'POST /v1/inquiries/{id}/later': [{ at: null }],
  'POST /v1/inquiries/{id}/marks': [{ kind: 'shown' }],
  'POST /v1/inquiries/{id}/passkey-challenge': ANSWERS,
  'POST /v1/passkeys/challenge': [{ does: 'add' }, { does: 'remove', id: 'key' }],
  'POST /v1/passkeys/options': [{}, { code: 'aaaa-bbbb' }],
  'POST /v1/passkeys': [{ name: 'Laptop', response: { id: 'key', rawId: 'key', response: {}, type: 'public-key' } }],
  'PATCH /v1/passkeys/{id}': [{ name: 'Renamed' }],
  'POST /v1/passkeys/codes': [{}],
  'POST /v1/passkeys/{id}/remove': [{ code: 'aaaa-bbbb' }],
  'POST /v1/passkeys/scopes': [{ scope: 'gate none' }],
  'POST /v1/passkeys/scopes/release': [{ scope: 'caution', code: 'aaaa-bbbb' }],
  'POST /v1/receipts/consume': [{ receipt: 'a.b.c', tool: 'pay', args: { euros: 3 } }],
  'POST /v1/devices/me/shown': [{ id: 'digest' }],
  // No push service that browsers use: the fuzz sends nothing to anybody.
  'PUT /v1/devices/me/subscription': [
    { endpoint: 'https://push.invalid/send/1', keys: { p256dh: 'BA', auth: 'AA' }, vapidPublicKey: 'BA' },
  ],
  'PATCH /v1/devices/me/subscription': [{ weeklyTest: true }],
  'POST /v1/notices': [
    { title: 'Done', body: 'All of it', link: 'https://example.com', urgency: 'low', privacy: 'full', key: 'n-1' },
  ],
  'PATCH /v1/people/me': [{ name: 'Owner', locale: 'zh', privacy: 'nothing' }],
  'PATCH /v1/devices/{id}': [{ name: 'Renamed' }],
  'POST /v1/enrolments': [{ handle: 'owner', deviceName: 'New phone' }],
  'POST /v1/address/check': [{ address: 'https://hub.example' }, {}],
  'POST /v1/enrolments/redeem': [
    { secret: 'x' },
    { enrolmentId: 'enr_x', code: '123456', deviceName: 'New' },
    { enrolmentId: 'enr_x', claim: 'x' },
    { jwt: 'a.b.c' },
  ],
  'POST /v1/enrolments/{id}/allow': [{}, { userCode: 'BBBB-BBBB' }],
  'POST /v1/device-authorizations': [{ client_id: 'agent', client_name: 'Agent', host_name: 'ci', scope: '' }],
  'POST /v1/device-authorizations/token': [
    { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: 'x', client_id: 'agent' },
  ],
  'POST /v1/enrolments/{id}/confirm': [{ number: '12' }],
  'POST /v1/people': [{ handle: 'someone', name: 'Someone', locale: 'en' }],
  'POST /v1/groups': [{ handle: 'team', name: 'The team', members: ['owner'] }],
  'PUT /v1/groups/{id}': [{ name: 'Renamed', members: ['owner'] }],
  'POST /v1/sources': [
    {
      name: 'Agent',
      mayAsk: ['owner'],
      webhookUrl: 'https://beckon.invalid/hook',
      locale: 'en',
      texts: { declined: 'no', expired: 'late', withdrawn: 'gone' },
    },
  ],
  'PATCH /v1/sources/{id}': [
    { webhookUrl: null, webhooksPaused: true },
    {
      locale: null,
      texts: { declined: 'no' },
      decider: { id: 'dcd_01hzzzzzzzzzzzzzzzzzzzzzzz', suggests: true, actions: false, agentMayAsk: false },
    },
  ],
  'POST /v1/connections': [
    {
      name: 'Platform',
      kind: 'chatcompletions',
      baseUrl: 'http://127.0.0.1:9/v1',
      answerUrl: 'http://127.0.0.1:9/answer',
      answer: { id: '{inquiryId}', text: '{response}' },
      to: ['owner'],
      deadline: 60,
      platformLimit: 60,
      apiKey: 'sk-1',
      headers: { 'x-key': 'x' },
      enabled: true,
      locale: 'en',
      texts: { declined: 'no' },
    },
    { name: 'Flow', kind: 'inbound', inboundSecret: `whsec_${'A'.repeat(32)}` },
  ],
  'POST /v1/connections/check': [{ name: 'Platform', kind: 'chatcompletions', baseUrl: 'http://127.0.0.1:9/v1' }],
  'POST /v1/connections/{id}/address': [{}],
  'POST /v1/connections/{id}/check': [{}],
  'PATCH /v1/connections/{id}': [{ name: 'Renamed', answerUrl: null, enabled: false }],
  'PUT /v1/policies': [{ version: 0, rules: RULES }],
  'PUT /v1/policies/hub': [{ version: 0, rules: RULES }],
  'POST /v1/policies/preview': [{ rules: RULES }],
  'POST /v1/yolo': [{ calls: 'approve', questions: 'you-decide', until: 60 }],
  'POST /v1/yolo/ask': [{ minutes: 15, reason: 'Sixty files to rename.', to: 'owner' }],
  'POST /v1/deciders': [
    {
      kind: 'chat',
      name: 'Double',
      url: 'http://127.0.0.1:9/v1',
      model: 'small',
      instructions: 'As I would.',
      key: 'sk-1',
      holdSeconds: 20,
      timeoutSeconds: 30,
    },
    { kind: 'mcp', name: 'Tool', url: 'http://127.0.0.1:9/mcp', tool: 'decide', instructions: 'As I would.' },
  ],
  'PATCH /v1/deciders/{id}': [{ name: 'Renamed', key: null, holdSeconds: 0 }],
  'POST /v1/deciders/{id}/test': [{ prompt: 'Tea?' }],
  'POST /v1/inquiries/{id}/decider': [{}, { insteadOf: 'decline', message: 'no' }],
  // Nothing listens there: what asks for its tools is told so at once.
  'PUT /v1/gates/{name}': [
    {
      upstream: { url: 'http://127.0.0.1:9/mcp', headers: { 'x-key': 'x' } },
      to: ['owner'],
      rules: [{ tool: 'write_*', does: 'ask', allowed: ['approve'], argsSchema: schema, caution: true }],
      otherwise: 'deny',
      elicitation: 'people',
      deadline: 60,
    },
  ],
};
