import { Ajv2020 } from 'ajv/dist/2020.js';

const closed = (properties: object, required: string[], more: object = {}) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
  ...more,
});
const uuid = { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$' };
const time = { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$` };
const text = { type: 'string', minLength: 1 };
const kind = (of: string) => ({ properties: { status: { const: of } } });
const decision = closed(
  {
    status: { enum: ['approved', 'denied', 'expired', 'cancelled'] },
    note: { type: 'string' },
    decided_at: time,
    expires_at: time,
  },
  ['status', 'decided_at'],
  {
    oneOf: [
      { ...kind('approved'), required: ['expires_at'] },
      { properties: { status: { enum: ['denied', 'expired', 'cancelled'] }, expires_at: false } },
    ],
  },
);
const delivery = closed({ type: { const: 'webhook' }, url: text, registration_id: uuid }, [
  'type',
  'url',
  'registration_id',
]);
const instance = closed({ id: uuid, name: text, delivery }, ['id', 'name']);
const ends = ['approved', 'denied', 'expired', 'cancelled'].map((of) => ({
  required: ['decision'],
  properties: { status: { const: of }, decision: kind(of) },
}));

/** What the protocol's own document says of each object, as far as a provider sends it; `server` is what its client adds. */
const SCHEMAS = {
  request: closed(
    {
      id: uuid,
      tool: text,
      server: { type: 'string' },
      arguments: { type: 'object' },
      timeout: { type: 'string', pattern: '^[1-9][0-9]*(s|m|h)$' },
      agent_reasoning: { type: 'string' },
      context: { type: 'object' },
      status: { enum: ['pending', 'approved', 'denied', 'expired', 'cancelled'] },
      created_at: time,
      deadline_at: time,
      decision,
    },
    ['id', 'tool', 'arguments', 'timeout', 'status', 'created_at', 'deadline_at'],
    { oneOf: [{ properties: { status: { const: 'pending' }, decision: false } }, ...ends] },
  ),
  instance,
  provisioned: closed({ instance, credential: closed({ token: text, expires_at: time }, ['token']) }, [
    'instance',
    'credential',
  ]),
  event: closed(
    { id: uuid, type: { const: 'request.resolved' }, instance_id: uuid, request_id: uuid, created_at: time },
    ['id', 'type', 'instance_id', 'request_id', 'created_at'],
  ),
  challenge: closed(
    {
      id: uuid,
      type: { const: 'webhook.verification' },
      registration_id: uuid,
      instance_id: uuid,
      created_at: time,
      challenge: uuid,
    },
    ['id', 'type', 'registration_id', 'instance_id', 'created_at', 'challenge'],
  ),
  error: closed(
    {
      error: closed(
        {
          type: {
            enum: 'invalid_request authentication authorization not_found conflict rate_limit dependency internal'.split(
              ' ',
            ),
          },
          code: { type: 'string', pattern: '^[a-z][a-z0-9]*(_[a-z0-9]+)*$' },
          message: text,
          param: text,
          request_id: uuid,
        },
        ['type', 'code', 'message', 'request_id'],
      ),
    },
    ['error'],
  ),
};

const ajv = new Ajv2020({ strict: false, allErrors: true });
const validators = new Map(Object.entries(SCHEMAS).map(([name, schema]) => [name, ajv.compile(schema)]));

/** What is wrong with an object by the protocol's document; empty where nothing is. */
export function wrongWith(name: keyof typeof SCHEMAS, value: unknown): string[] {
  const validate = validators.get(name);
  validate?.(value);
  return (validate?.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath} ${message}`);
}
