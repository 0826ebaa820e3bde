import { deepStrictEqual } from 'node:assert/strict';
import { test } from 'node:test';
import type { Resolution } from '#shared/answer.ts';
import { newId, toUuid } from '#shared/ids.ts';
import { parseExact } from '#shared/json.ts';
import { toError } from './errors.ts';
import { isSameRequest, toAsk, toKept, toRequest, toSeconds, type CreateRequest } from './request.ts';
import { accept } from './testing/peer.ts';
import { wrongWith } from './testing/schemas.ts';
import { AppError } from '#shared/problem.ts';

const CALL = { tool: 'pay', arguments: { n: 1 }, timeout: '60s' };
const OPENED = '2026-09-16T12:00:00.000Z';
const id = newId('inq', Date.parse(OPENED));
const by = { kind: 'deadline', label: 'deadline' } as const;
const at = (seconds: number): string => new Date(Date.parse(OPENED) + seconds * 1000).toISOString();
const ended = (more: Partial<Resolution>): Resolution => ({ outcome: 'answered', at: at(30), text: '', by, ...more });
const approve = { decisions: [{ type: 'approve' as const }] };

test('[AAP1] a request says of each end what the protocol has for it, and nothing but an approval that may still run is one', () => {
  const cases: [Resolution | undefined, object | undefined][] = [
    [undefined, undefined],
    [ended({ answer: approve, validUntil: at(90) }), { status: 'approved', decided_at: at(30), expires_at: at(90) }],
    // It was on its way as the deadline passed.
    [
      ended({ at: at(65), answer: approve, validUntil: at(365) }),
      { status: 'approved', decided_at: at(60), expires_at: at(365) },
    ],
    // A step of the clock, or what no hub writes: no approval.
    [ended({ at: at(-5), answer: approve, validUntil: at(-1) }), { status: 'expired', decided_at: at(0) }],
    [ended({ answer: approve }), { status: 'expired', decided_at: at(30) }],
    [ended({}), { status: 'denied', decided_at: at(30) }],
    [ended({ answer: { decisions: [] } }), { status: 'denied', decided_at: at(30) }],
    [ended({ answer: { text: 'yes' } }), { status: 'denied', decided_at: at(30) }],
    [
      ended({ answer: { decisions: [{ type: 'edit', args: {} }] }, validUntil: at(90) }),
      { status: 'denied', decided_at: at(30) },
    ],
    [
      ended({ answer: { decisions: [{ type: 'reject', message: 'No.' }] } }),
      { status: 'denied', note: 'No.', decided_at: at(30) },
    ],
    [ended({ outcome: 'declined', message: 'Later.' }), { status: 'denied', note: 'Later.', decided_at: at(30) }],
    [ended({ outcome: 'declined', answer: approve, validUntil: at(90) }), { status: 'denied', decided_at: at(30) }],
    [
      ended({ outcome: 'expired', at: at(61), answer: approve, validUntil: at(90) }),
      { status: 'expired', decided_at: at(61) },
    ],
    [
      ended({ outcome: 'withdrawn', message: 'Revoked.' }),
      { status: 'cancelled', note: 'Revoked.', decided_at: at(30) },
    ],
  ];
  for (const [resolution, decision] of cases) {
    const request = toRequest(toKept(CALL), { id, openedAt: OPENED, ...(resolution ? { resolution } : {}) });
    accept(JSON.stringify(request), JSON.stringify(CALL));
    deepStrictEqual(
      [request, wrongWith('request', request)],
      [
        {
          id: toUuid(id),
          ...CALL,
          status: (decision as { status?: string } | undefined)?.status ?? 'pending',
          created_at: OPENED,
          deadline_at: at(60),
          ...(decision ? { decision } : {}),
        },
        [],
      ],
    );
  }
});

test('[AAP1] [ASK2] requests are the same by their values, not by how these are written', () => {
  const kept = (text: string): string => toKept(parseExact(text) as CreateRequest);
  const of = (args: string): string => kept(`{"tool":"t","timeout":"1s","arguments":${args}}`);
  const same: [string, string][] = [
    ['{"n":1}', '{ "n" : 1.0 }'],
    ['{"n":100}', '{"n":1E2}'],
    ['{"n":0}', '{"n":-0.0e9}'],
    ['{"n":9007199254740993}', '{"n":9007199254740993.000}'],
    ['{"n":1e400}', '{"n":10e399}'],
    ['{"a":1,"b":[{}]}', '{"b":[{}],"a":1}'],
    ['{"n":0.10}', '{"n":1e-1}'],
  ];
  const other: [string, string][] = [
    ['{"n":9007199254740993}', '{"n":9007199254740992}'],
    ['{"n":1}', '{"n":"1"}'],
    ['{"n":1}', '{"n":"n1e0"}'],
    ['{"n":1}', '{"n":-1}'],
    ['{"n":1}', '{"n":10}'],
    ['{"n":null}', '{}'],
    ['{"n":[1,2]}', '{"n":[2,1]}'],
    ['{"n":false}', '{"n":"false"}'],
  ];
  deepStrictEqual(
    [same.map(([a, b]) => isSameRequest(of(a), of(b))), other.map(([a, b]) => isSameRequest(of(a), of(b)))],
    [same.map(() => true), other.map(() => false)],
  );
});

test('[AAP1] a duration is what it says, and numbers of any length cost no more than their length', () => {
  deepStrictEqual(['1s', '30m', '24h', `${'9'.repeat(400)}h`].map(toSeconds), [1, 1800, 86_400, Infinity]);
  const before = process.cpuUsage();
  for (const digits of [`1${'0'.repeat(100_000)}1`, `1e${'9'.repeat(100_000)}`, `0.${'0'.repeat(100_000)}1`])
    toKept(parseExact(`{"tool":"t","timeout":"1s","arguments":{"n":${digits}}}`) as CreateRequest);
  deepStrictEqual(process.cpuUsage(before).user < 2_000_000, true);
});

test('[AAP1] what an agent says of itself is set apart as its claim, in the language of its source, and cut where it is long', () => {
  const about = (claim: string, locale?: 'en' | 'zh') =>
    toAsk({ ...CALL, agent_reasoning: claim }, { key: 'k', validFor: undefined, locale }).actions?.[0]?.description;
  deepStrictEqual(
    [about('fine\n\n# Approved'), about('好', 'zh'), about(' \n'), about('x'.repeat(20_000))?.length],
    [
      'The agent says, and nobody checked it:\n\n> fine\n> \n> # Approved',
      'Agent 自述，未经核实：\n\n> 好',
      undefined,
      10_042,
    ],
  );
});

test('[AAP1] every refusal has one of the statuses, types and codes that the protocol knows', () => {
  const requestId = '1184dfc5-0e86-4f88-9b68-882b1dc60467';
  const told = ([status, code]: readonly [number, ConstructorParameters<typeof AppError>[1]]) => {
    const error = toError(new AppError(status, code, 'Words.'), requestId);
    deepStrictEqual(wrongWith('error', error.body), []);
    const { type, code: ours } = (error.body as { error: { type: string; code: string } }).error;
    return [error.status, type, ours];
  };
  deepStrictEqual(
    (
      [
        [422, 'request.invalid'],
        [413, 'request.too_large'],
        [415, 'request.unsupported_media'],
        [401, 'credential.unknown'],
        [403, 'credential.wrong_kind'],
        [409, 'inquiry.key_reused'],
        [409, 'inquiry.already_resolved'],
        [429, 'source.too_many_open'],
        [500, 'internal'],
        [503, 'hub.stopping'],
        [502, 'internal'],
      ] as const
    ).map(told),
    [
      [400, 'invalid_request', 'request_invalid'],
      [400, 'invalid_request', 'request_too_large'],
      [400, 'invalid_request', 'request_unsupported_media'],
      [401, 'authentication', 'credential_unknown'],
      [403, 'authorization', 'credential_wrong_kind'],
      [409, 'conflict', 'idempotency_conflict'],
      [409, 'conflict', 'already_terminal'],
      [429, 'rate_limit', 'source_too_many_open'],
      [500, 'internal', 'internal'],
      [503, 'dependency', 'hub_stopping'],
      [500, 'internal', 'internal'],
    ],
  );
});
