import { deepStrictEqual, ok } from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Resolution } from '#shared/answer.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { AppError } from '#shared/problem.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { StartYolo } from '#shared/policies/yolo.ts';
import type { DeviceCaller } from '../../platform/http/access.ts';
import { putPolicies, readPolicies } from '../../automation/rules/change.ts';
import { toRuleId } from '../../automation/rules/rules.ts';
import { ask } from '../ask.ts';
import { createOpenCounts } from '../open-counts.ts';
import { sweep } from '../expire.ts';
import { readHistory } from '../../reports/history/read.ts';
import type { Answerer } from '../answerer.ts';
import type { Inquiries } from '../inquiries.ts';
import { withdrawInquiry } from '../withdraw.ts';
import { startYolo, stopYolo, type Yolos } from '../../automation/yolo/yolo.ts';
import { anotherNode, answerAlone, type Place } from './place.ts';

const DEADLINE_S = 60;
const CALL = {
  actions: [{ name: 'Bash', args: { command: 'ls' }, allowed: ['approve', 'reject'] }],
  deadline: DEADLINE_S,
} as Ask;
const APPROVE: Rule = { name: 'Fine', when: { tool: 'Bash' }, then: 'approve' };
const REJECT: Rule = { name: 'No', when: { tool: 'Bash' }, then: { reject: 'Not now.' } };

/** How a resolution has to read where this one won. */
type Claim = Pick<Resolution, 'outcome' | 'by'> & { decision?: string | undefined };
type Race = {
  p: Place;
  /** Two nodes of one hub. */
  nodes: Inquiries[];
  /** Every rule and YOLO there ever was, by id, with what it makes of a call. */
  known: Map<string, Claim>;
  stop: (id: string) => Promise<unknown>;
  start: () => Promise<unknown>;
  put: (rules: Rule[]) => Promise<unknown>;
  running: () => Promise<string | undefined>;
};

/** What changes while calls are being asked. */
const CHANGES: Record<string, (race: Race) => Promise<unknown>> = {
  approve: ({ put }) => put([APPROVE]),
  reject: ({ put }) => put([REJECT]),
  'no rule': ({ put }) => put([]),
  'YOLO starts': ({ start }) => start(),
  'YOLO stops': async ({ running, stop }) => stop((await running()) ?? ''),
};

/** Who may end an open inquiry; each says what its resolution is where it won. */
const ENDS: Record<string, (race: Race, inquiry: Inquiry) => Promise<Claim | undefined>> = {
  'phone approves': ({ p, nodes }, inquiry) => decide(nodes[0]!, p.phone, inquiry, 'approve'),
  'laptop rejects': ({ p, nodes }, inquiry) => decide(nodes[1]!, p.laptop, inquiry, 'reject'),
  'source withdraws': async ({ p, nodes }, { id }) => {
    const { resolution } = await withdrawInquiry(nodes[1]!, p.sourceId, id);
    return { outcome: 'withdrawn', by: resolution!.by };
  },
  'deadline passes': async ({ p, nodes }) => {
    p.pass(DEADLINE_S * 1000);
    await Promise.all(nodes.map((node) => sweep(node)));
    return undefined;
  },
};

async function decide(
  node: Inquiries,
  who: Answerer,
  { id, digest }: Inquiry,
  type: 'approve' | 'reject',
): Promise<Claim | undefined> {
  const { won, resolution } = await answerAlone(node, who, id, { digest, decisions: [{ type }] });
  if (!won) return undefined;
  ok(resolution.by.kind === 'person' && resolution.by.device.id === who.deviceId);
  return { outcome: 'answered', by: resolution.by, decision: type };
}

/** Whoever races to end an inquiry; the same on every engine. */
export function racingContract(place: (t: TestContext) => Promise<Place>): void {
  test('[RES1] [POL4] [POL5] [POL6] [race] whatever races, an inquiry has one resolution, and it names who made it', async (t) => {
    const race = openRace(await place(t));
    const change = fc.constantFrom(...Object.keys(CHANGES));
    const ends = fc.uniqueArray(fc.constantFrom(...Object.keys(ENDS)));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 4 }), ends, fc.array(fc.nat(1)), async (changes, ended, late) => {
        const changing = changes.map(async (name) => CHANGES[name]!(race).catch(refusedPlainly));
        const asked = await Promise.all([0, 1, ...late.slice(0, 2)].map((node) => askOn(race, node)));
        await Promise.all(changing);
        for (const inquiry of asked) await raceToEnd(race, inquiry, ended);
      }),
      { numRuns: 30 },
    );
  });
}

function openRace(p: Place): Race {
  const { deviceId: id, deviceName: name, personId, handle } = p.phone;
  const other = { settling: anotherNode(p).settling, openCounts: createOpenCounts(), answering: new Set<never>() };
  const yolos: Yolos = { database: p.database, announce: () => undefined, wakePushes: () => undefined };
  const device: DeviceCaller = {
    kind: 'device',
    id,
    name,
    person: { id: personId, handle, name: '', owner: true, locale: undefined },
  };
  const known = new Map<string, Claim>();
  const learn = (ruleId: string, label: string, decision: string) =>
    known.set(ruleId, { outcome: 'answered', by: { kind: 'policy', label, ruleId }, decision });
  for (const rule of [APPROVE, REJECT]) learn(toRuleId(rule), rule.name, rule === APPROVE ? 'approve' : 'reject');
  const which = { of: 'person', personId } as const;
  return {
    p,
    nodes: [p.inquiries, { ...p.inquiries, ...other }],
    known,
    put: async (rules) => {
      const { version } = await readPolicies(p.database, which);
      return putPolicies(p.database, which, { version, rules }, id);
    },
    start: async () => {
      const yolo = await startYolo(yolos, device, StartYolo.parse({ calls: 'approve', until: 300 }));
      learn(yolo.id, 'YOLO', 'approve');
    },
    stop: (yoloId) => stopYolo(yolos, device, yoloId),
    running: async () => {
      const row = await p.database.read
        .selectFrom('yolos')
        .select('id')
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      return row?.id;
    },
  };
}

// Settled as it is asked, or open: nothing of it is between the two.
async function askOn({ p, nodes }: Race, node: number): Promise<Inquiry> {
  const { inquiry, inquiryId } = await ask(nodes[node]!, { sourceId: p.sourceId, ask: CALL, waitMs: 0 });
  return inquiry ?? p.read(inquiryId);
}

async function raceToEnd(race: Race, inquiry: Inquiry, ended: string[]): Promise<void> {
  const { p, known } = race;
  const { resolution: before } = inquiry;
  const acting = ended.map((name) => ENDS[name]!(race, inquiry).catch(refusedPlainly));
  const claims = (await Promise.all(acting)).filter((claim) => claim !== undefined);
  const { resolution } = await p.read(inquiry.id);
  const made = resolution && claimOf(resolution);
  if (before) {
    ok(before.by.kind === 'policy', 'only a rule ends what was just asked');
    // A YOLO that is being started is known once its start returned.
    deepStrictEqual([claims, resolution, made], [[], before, known.get(before.by.ruleId)]);
  } else if (claims.length > 0) deepStrictEqual(claims, [made]);
  else {
    const expired: Claim = { outcome: 'expired', by: { kind: 'deadline', label: 'deadline' } };
    deepStrictEqual(made, ended.includes('deadline passes') ? expired : undefined);
  }
  const { items } = await readHistory(p.database.read, p.phone, { limit: 100 });
  const kept = items.find(({ id }) => id === inquiry.id);
  deepStrictEqual(kept?.resolution, resolution);
}

function claimOf({ outcome, by, answer }: Resolution): Claim {
  const decision = answer?.decisions?.[0]?.type;
  return { outcome, by, ...(decision ? { decision } : {}) };
}

// Who comes too late is told so, and nothing else goes wrong.
function refusedPlainly(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error;
}
