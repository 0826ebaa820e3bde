import type { Ask } from '../../../shared/inquiry.ts';
import { answerInquiry } from '../../../server/inquiries/answer.ts';
import { exportHistory, type ExportFormat } from '../../../server/reports/history/export.ts';
import { readAsRecipient } from '../../../server/inquiries/store.ts';
import { openPlace } from '../../../server/inquiries/testing/place.ts';
import { rowOf, type Row } from '../report.ts';

const ROUNDS = 5;
const CALL = { allowed: ['approve' as const, 'reject' as const] };
/** What agents ask: a line of shell, a file to write, a question. */
const ASKED: Ask[] = [
  {
    title: 'Deploy?',
    actions: [
      { ...CALL, name: 'Bash', args: { command: 'cd /srv/app && git pull --ff-only && npm ci && npm run build' } },
    ],
  },
  {
    title: 'Write?',
    actions: [
      { ...CALL, name: 'Write', args: { file_path: '/srv/app/a.ts', content: 'const x = f(1);\n'.repeat(500) } },
    ],
  },
  { title: 'Name?', prompt: 'What shall we call the boat? '.repeat(8) },
];

/** What a history costs as CSV, beside the same as JSON. */
export async function measureExport(engine: Row['engine'], databaseUrl: string | undefined, quick: boolean) {
  const { place: p, close } = await openPlace(databaseUrl);
  try {
    const count = quick ? 150 : 900;
    for (let at = 0; at < count; at++) {
      const asked = ASKED[at % ASKED.length]!;
      const id = await p.ask(asked);
      const { digest } = await readAsRecipient(p.database, id, p.phone.personId);
      const answer = asked.actions ? { digest, decisions: [{ type: 'approve' as const }] } : { text: 'Wren' };
      await answerInquiry(p.inquiries, p.phone, id, answer);
    }
    const cpuMs = async (format: ExportFormat): Promise<number> => {
      const since = process.cpuUsage();
      await Array.fromAsync(exportHistory(p.database.read, p.phone, {}, format));
      const { user, system } = process.cpuUsage(since);
      return (user + system) / 1000;
    };
    const [csv, json]: [number[], number[]] = [[], []];
    for (let round = 0; round <= ROUNDS; round++) {
      const measured = [await cpuMs('json'), await cpuMs('csv')] as const;
      // The first round warms up.
      if (round === 0) continue;
      json.push(measured[0]);
      csv.push(measured[1]);
    }
    return [rowOf({ name: 'CPU of a history as CSV, bare as JSON', engine, unit: 'ms' }, { hub: csv, bare: json })];
  } finally {
    await close();
  }
}
