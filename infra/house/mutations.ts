import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindsOfTests } from './rules.ts';
import { readFiles, root } from './tree.ts';

/** One place of the code, broken so that a rule does not hold any more, and what has to see that. */
export type Mutation = { file: string; found: string; broken: string; seenBy: string };

const SIMULATION = 'server/simulation/simulation.sim.test.ts';
const CONTRACTS = 'server/platform/engines/contracts.test.ts';
const INQUIRIES = 'server/inquiries';
const AUTOMATION = 'server/automation';

type Row = [rule: string, file: string, found: string, broken: string, seenBy: string];
const ROWS: Row[] = [
  [
    'ASK1',
    `${INQUIRIES}/answer.ts`,
    'yield* batch({ remembered: remember(',
    'void ({ remembered: remember(',
    SIMULATION,
  ],
  ['ASK2', `${INQUIRIES}/same.ts`, '(row.digest !== call.digest || readDigest', '(readDigest', CONTRACTS],
  ['ASK3', `${INQUIRIES}/ask.ts`, 'if (first.length + others.length > 0)', 'if (others.length > 0)', CONTRACTS],
  ['ASK4', `${INQUIRIES}/hands.ts`, 'set approved = ?2,', "set approved = ?2, asked = asked || ' ',", SIMULATION],
  ['ASK5', 'server/mcp/gate/hold.ts', "inquiry.id))) return 'used';", 'inquiry.id))) void 0;', SIMULATION],
  ['RES1', `${INQUIRIES}/resolve.ts`, 'where id = ?1 and resolution is null and', 'where id = ?1 and', SIMULATION],
  ['RES2', `${INQUIRIES}/answer.ts`, 'JSON.stringify(reply);', 'JSON.stringify({ ...reply, won: false });', SIMULATION],
  ['RES3', `${INQUIRIES}/given.ts`, 'if (faults.length > 0)', 'if (faults.length > 99)', CONTRACTS],
  [
    'RES4',
    `${INQUIRIES}/expire.ts`,
    "return { outcome: 'expired', by,",
    "return { outcome: 'declined', by,",
    SIMULATION,
  ],
  [
    'RES5',
    'server/platform/http/access.ts',
    "if (access !== 'source' && found",
    "if (access === 'owner' && found",
    'server/sources/sources.test.ts',
  ],
  ['RES6', `${INQUIRIES}/hold.ts`, "if (by === 'asker' && signal.aborted) {", 'if (Date.now() < 0) {', SIMULATION],
  [
    'WDR1',
    `${INQUIRIES}/resolve.ts`,
    'wantWithdrawn({ subjectId: row.id,',
    "wantWithdrawn({ subjectId: '',",
    SIMULATION,
  ],
  ['WDR2', 'server/deliveries/push/want.ts', '`(sent is null or', '`(sent is not null or', CONTRACTS],
  ['WDR3', 'web/live/entry.ts', 'own !== undefined &&', 'own === undefined &&', 'web/live/entry.test.ts'],
  [
    'LIV1',
    `${INQUIRIES}/versions.ts`,
    'set version = version + 1 where id in (select person_id',
    'set version = version where id in (select person_id',
    SIMULATION,
  ],
  ['LIV2', `${INQUIRIES}/ask.ts`, 'if (bytes > openBytesLimit)', 'if (bytes < 0)', CONTRACTS],
  [
    'LIV3',
    'server/platform/http/bodies.ts',
    'before + bytes > most',
    'bytes > most',
    'server/platform/http/bodies.test.ts',
  ],
  [
    'LIV4',
    'server/platform/http/admission.ts',
    'if (all >= most && (',
    'if (all < 0 && (',
    'server/platform/http/admission.test.ts',
  ],
  ['DLV1', `${INQUIRIES}/resolve.ts`, 'last: [...last, ...webhooks] }', 'last }', SIMULATION],
  [
    'DLV2',
    `${INQUIRIES}/reach.ts`,
    'set reach_due_at = null where',
    'set reach_due_at = reach_due_at where',
    CONTRACTS,
  ],
  [
    'DLV6',
    'server/mcp/events/subscriptions.ts',
    'verified: rows.some((row) => row.url === url)',
    'verified: true',
    'server/mcp/events/testing/events.test.ts',
  ],
  [
    'DLV3',
    'server/deliveries/push/quiet.ts',
    'if (!found) return delayed;',
    'if (found || !found) return delayed;',
    CONTRACTS,
  ],
  ['DLV4', `${INQUIRIES}/later.ts`, 'until === undefined ? 0 : 1', '0', SIMULATION],
  [
    'DLV5',
    'server/deliveries/push/remind.ts',
    "chosen === 'repeat' ?",
    "chosen !== 'repeat' ?",
    'server/deliveries/push/remind.test.ts',
  ],
  [
    'DIA1',
    'server/dialects/coding/call.ts',
    "return { type: outcome === 'declined' ? 'deny' : 'nobody', words: text };",
    "return { type: 'allow' };",
    'server/dialects/properties.test.ts',
  ],
  ['DIA2', 'server/dialects/open.ts', 'ids: read.ids, keep: read.keep, asked })', 'keep: read.keep })', CONTRACTS],
  ['DIA3', 'server/dialects/open.ts', 'throw located(error, read.asks, query);', 'throw error;', CONTRACTS],
  [
    'DIA4',
    'server/dialects/coding/call.ts',
    "return { type: 'allow', option: end.option };",
    "return { type: 'allow', option: end.option, input: {} };",
    'server/dialects/fixtures.test.ts',
  ],
  [
    'DIA5',
    'server/dialects/claude-hook/claude-hook.ts',
    "source: z.literal('user')",
    'source: z.string()',
    'server/dialects/claude-hook/claude-hook.test.ts',
  ],
  [
    'DIA6',
    'server/protocols/acp/proxy.ts',
    'return asking.editorReplied(message);',
    'return true;',
    'server/protocols/acp/proxy.test.ts',
  ],
  [
    'DIA7',
    'server/cli/connecting/hook-line.ts',
    'r=$r${l#*:};;',
    'r=" pass.";;',
    'server/cli/connecting/hook-line.test.ts',
  ],
  [
    'AAP1',
    'server/protocols/aap/request.ts',
    'plainNumber(JSON.stringify(value))',
    'Number(JSON.stringify(value))',
    'server/protocols/aap/request.test.ts',
  ],
  ['AAP2', 'server/protocols/aap/instances.ts', ".where('provisioner_id', '=', provisionerId);", ';', CONTRACTS],
  [
    'POL1',
    `${AUTOMATION}/rules/rules.ts`,
    "if (others.some((found) => found !== first)) return 'people';",
    '',
    `${AUTOMATION}/rules/rules.test.ts`,
  ],
  ['POL2', `${AUTOMATION}/rules/change.ts`, ".where('version', '=', version)", '', CONTRACTS],
  [
    'POL3',
    `${AUTOMATION}/rules/lists.ts`,
    'others.length === 0 ? from.ofPerson',
    'others.length < 9 ? from.ofPerson',
    CONTRACTS,
  ],
  [
    'POL4',
    `${AUTOMATION}/rules/by-rule.ts`,
    'if (secretIds(ask).length > 0) return undefined;',
    '',
    `${AUTOMATION}/rules/by-rule.test.ts`,
  ],
  [
    'POL5',
    `${AUTOMATION}/settling.ts`,
    'if (settles && !ruling.holds(now, before)) return false;',
    'void before;',
    CONTRACTS,
  ],
  ['POL6', `${AUTOMATION}/yolo/store.ts`, '`yolos.ended_at is null and', '`', CONTRACTS],
  [
    'POL7',
    'web/policies/sentence/sentence.ts',
    'for (const name of ORDER)',
    'for (const name of ORDER.slice(1))',
    'web/policies/sentence/sentence.test.ts',
  ],
  ['POL8', 'shared/policies/decider.ts', "return 'secret';", 'return undefined;', CONTRACTS],
  [
    'POL9',
    `${AUTOMATION}/deciders/times.ts`,
    'const latest = deadlineAt - DEVICE_MARGIN_MS;',
    'const latest = deadlineAt;',
    `${AUTOMATION}/deciders/times.test.ts`,
  ],
  ['POL10', `${AUTOMATION}/yolo/asked.ts`, 'if (source.may_ask_yolo === 0) throw mayNotAsk(403);', '', CONTRACTS],
  ['POL11', `${AUTOMATION}/rules/lists.ts`, 'timeZoneOf(preferences)', "'UTC'", CONTRACTS],
  ['APR1', `${INQUIRIES}/validity.ts`, 'endedUnused(inquiry, now) ?', 'endedUnused(inquiry, 0) ?', SIMULATION],
  ['APR5', `${INQUIRIES}/escalate.ts`, 'if (!row || !isDue(row, now))', 'if (!row)', SIMULATION],
  ['APR2', 'server/receipts/consume.ts', 'if (taken) return;', 'return;', CONTRACTS],
  [
    'APR3',
    `${INQUIRIES}/assured.ts`,
    'answer: withoutUndefined({ outcome, content, message })',
    'answer: {}',
    CONTRACTS,
  ],
  ['APR4', `${INQUIRIES}/hands.ts`, 'hands.length >= handsWanted(row)', 'hands.length >= 1', CONTRACTS],
  [
    'APR6',
    'server/audit/chain.ts',
    'rows.push(...(await readInquiries(read, fresh)));',
    'await readInquiries(read, fresh);',
    CONTRACTS,
  ],
  ['CIB1', 'server/protocols/keycloak/request.ts', "if (by?.kind !== 'person') return 'UNAUTHORIZED';", '', CONTRACTS],
  ['CIB2', 'server/protocols/keycloak/tell.ts', ".where('tried_at', 'is', null)", '', CONTRACTS],
  [
    'PAG1',
    'web/inquiry/calls/on-screen.ts',
    'length ?? 0) > 1 || isCautious(inquiry)',
    'length ?? 0) > 1',
    'web/inquiry/calls/on-screen.test.ts',
  ],
  [
    'SEE1',
    'web/inquiry/calls/on-screen.ts',
    'return headOnly ?',
    'return true ?',
    'web/inquiry/calls/on-screen.test.ts',
  ],
  ['PAG2', 'web/ui/held-key.ts', 'return repeat &&', 'return repeat && false &&', 'web/ui/held-key.test.ts'],
  ['PAG3', 'web/live/outgoing/outbox.ts', "return 'held';", '', 'web/live/outgoing/outbox.test.ts'],
  ['PAG4', 'web/inquiry/view/bounded.ts', '++this.depth > DEEPEST', 'false', 'web/inquiry/view/bounded.test.ts'],
  [
    'SEC1',
    'server/platform/http/access.ts',
    "throw found === 'missing' ? missing() : refusedCredential(found);",
    'return undefined;',
    CONTRACTS,
  ],
  [
    'PRV1',
    'server/deliveries/push/compose.ts',
    '> STRICTNESS.indexOf(person) ?',
    '< STRICTNESS.indexOf(person) ?',
    'server/inquiries/notification/notification.test.ts',
  ],
];

/** For each rule how it is broken, in the order of the rules. */
export const MUTATIONS: ReadonlyMap<string, Mutation> = new Map(
  ROWS.map(([rule, file, found, broken, seenBy]) => [rule, { file, found, broken, seenBy }]),
);

export const isSimulation = (seenBy: string): boolean => seenBy === SIMULATION;

/** Where it is written what was seen of each. */
export const TABLE = 'server/simulation/README.md';
/** A row of the table: what cites its rule, where that was broken and what went red. */
type TableRow = [rule: string, kinds: string, file: string, saw: string];

/** The rows of the table, without its head. */
export function readTable(): TableRow[] {
  const rows = readFileSync(join(root, TABLE), 'utf8').match(/^\| [A-Z]{3}\d+ .*$/gm) ?? [];
  return rows.map(
    (row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()) as TableRow,
  );
}

/** The rows as they are to be, in the order of the rules, by what was seen. */
export function toTable(seen: ReadonlyMap<string, string>): TableRow[] {
  const rules = readFileSync(join(root, 'shared/RULES.md'), 'utf8');
  const kinds = kindsOfTests(rules, readFiles(['{shared,server,web}/**/*.{test,contract}.{ts,tsx}', 'e2e/**/*.ts']));
  return [...kinds].map(([rule, own]) => [
    rule,
    own,
    MUTATIONS.get(rule)?.file ?? 'nowhere',
    seen.get(rule) ?? 'nothing',
  ]);
}
