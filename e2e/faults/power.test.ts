import { deepStrictEqual } from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, test } from 'node:test';
import type { Inquiry } from '#shared/inquiry.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { call, must } from '../hub/call.ts';
import { casesOf, chanceOf, faultCases, faultSeed, type Chance } from '../hub/chance.ts';
import { BUNDLE } from '../bundle.ts';
import { environment, startHub } from '../hub/hub.ts';
import { addDevices, addSource, ownerDevice, type Device } from '../hub/people.ts';
import { Program } from '../hub/process.ts';
import { CUTS, Disk, type Cut } from './disk.ts';
import { readTrace, recorded, type DiskEvent } from './record.ts';

const ASKS = casesOf(40, 200);
const STATES = faultCases(300, 10_000);
const HUBS = casesOf(3, 50);
const SEED = faultSeed();
const CHAIN = casesOf(2, 5);

/** What somebody was told at that moment, so that a power cut after it may not take it away. */
type Told = { at: number; what: string; ids: (string | undefined)[]; sql: string };
type State = { number: number; cut: Cut; before: DiskEvent | undefined; files: Map<string, Buffer>; told: Told[] };

describe(`a power cut at any moment, seed ${SEED}`, { timeout: 3_600_000 }, () => {
  const chance = chanceOf(SEED);
  const folder = mkdtempSync(join(tmpdir(), 'beckon-power-'));
  const told: Told[] = [];
  let events: DiskEvent[];
  let owner: Device;
  let source: NewSourceReply;
  before(async () => {
    const dataDir = join(folder, 'data');
    mkdirSync(dataDir);
    const trace = join(folder, 'trace');
    const hub = await startHub({ DATA_DIR: dataDir }, (program) => recorded(trace, program));
    owner = await ownerDevice(hub);
    note(told, 'a device', 'select 1 from devices where id = ?', owner.id);
    const [phone] = (await addDevices(hub, owner, 1)) as [Device];
    note(told, 'a device', 'select 1 from devices where id = ?', phone.id);
    source = await addSource(hub, owner, 'Asker', { webhookUrl: 'http://127.0.0.1:9/' });
    note(told, 'a source', 'select 1 from sources where id = ?', source.source.id);
    const prompts = Array.from({ length: ASKS }, (_, at) => `Question ${at}?`);
    const line = async (): Promise<void> => {
      for (let prompt = prompts.shift(); prompt !== undefined; prompt = prompts.shift())
        await askAndAnswer(hub, { source, devices: [owner, phone], chance, told, prompt });
    };
    await Promise.all([line(), line(), line()]);
    await hub.stop();
    events = await readTrace(trace, dataDir);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  test(`[ASK1] [RES1] [DLV1] everything that somebody was told is there, and nothing is half there (${STATES} states)`, () => {
    const faults: string[] = [];
    for (const state of states(events, told, chance, STATES)) {
      const at = lay(folder, state.files);
      faults.push(...faultsOf(at, state.told).map((fault) => `${describeState(state)}: ${fault}`));
      rmSync(at, { recursive: true, force: true });
      if (faults.length >= 10) break;
    }
    deepStrictEqual(faults, []);
  });

  test(`[ASK1] [RES1] a hub that is started on what is left reads, seals and answers on (${HUBS} hubs)`, async () => {
    for (const state of states(events, told, chance, HUBS)) {
      const hub = await startHub({ DATA_DIR: lay(folder, state.files) });
      const known = state.told.some(({ ids }) => ids.includes(source.source.id));
      if (state.told.length === 0) await ownerDevice(hub);
      if (known) {
        const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: source.key, body: SECRET });
        await must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { values: { pin: 'after' } } });
        const { resolution } = await must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: source.key });
        deepStrictEqual(resolution?.answer, { values: { pin: 'after' } }, describeState(state));
      }
      await hub.remove();
    }
  });
});

describe(`power cuts one after the other, seed ${SEED}`, { timeout: 600_000 }, () => {
  const chance = chanceOf(SEED);
  const folder = mkdtempSync(join(tmpdir(), 'beckon-power-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program to its end on these files, as often as it is cut; returns where it may be run for good. */
  async function cutOften(
    dataDir: string,
    run: (under: (program: string[]) => string[], dataDir: string) => Promise<void>,
  ) {
    let at = dataDir;
    for (let round = 0; round < CHAIN; round++) {
      const before = readAll(at);
      const trace = join(folder, `trace-${round}`);
      await run((program) => recorded(trace, program), at);
      const disk = new Disk(before);
      const events = await readTrace(trace, at, before.keys());
      for (const event of events.slice(0, chance.below(events.length + 1))) disk.apply(event);
      at = lay(folder, disk.after(chance.of(CUTS), chance));
    }
    return at;
  }
  const start = async (under: (program: string[]) => string[], dataDir: string, args: string[] = []): Promise<void> => {
    const hub = await startHub({ DATA_DIR: dataDir }, () =>
      under([process.execPath, BUNDLE.command, 'serve', ...args]),
    );
    await hub.stop();
  };

  test(`[ASK1] in the first start, with all its migrations, ${CHAIN} times: the next start makes a hub`, async () => {
    const at = await cutOften(mkdtempSync(join(folder, 'new-')), start);
    const hub = await startHub({ DATA_DIR: at });
    const owner = await ownerDevice(hub);
    const { key } = await addSource(hub, owner, 'Asker');
    const { state } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { prompt: 'There?' } });
    await hub.remove();
    deepStrictEqual(state, 'open');
  });

  test(`[ASK1] in a start from a backup, ${CHAIN} times: what was open is withdrawn, what was answered stays`, async () => {
    const dataDir = mkdtempSync(join(folder, 'backup-'));
    const hub = await startHub({ DATA_DIR: dataDir });
    const owner = await ownerDevice(hub);
    const { key } = await addSource(hub, owner, 'Asker');
    const ask = () => must<Inquiry>(hub, 'POST /v1/inquiries', { token: key, body: { prompt: 'Kept?' } });
    const asked = await Promise.all(Array.from({ length: 20 }, ask));
    for (const { id } of asked.slice(0, 10))
      await must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { text: 'yes' } });
    const file = join(folder, 'beckon.sqlite');
    await hub.cli('backup', file);
    await hub.stop();
    const restored = mkdtempSync(join(folder, 'restored-'));
    copyFileSync(file, join(restored, 'beckon.sqlite'));
    copyFileSync(join(dataDir, 'sealing-key'), join(restored, 'sealing-key'));
    const at = await cutOften(restored, (under, from) => start(under, from, ['--restored']));
    await start((program) => program, at, ['--restored']);
    const again = await startHub({ DATA_DIR: at });
    const outcomes = await Promise.all(
      asked.map(
        async ({ id }) => (await must<Inquiry>(again, `GET /v1/inquiries/${id}`, { token: key })).resolution?.outcome,
      ),
    );
    await again.remove();
    deepStrictEqual(
      outcomes,
      asked.map((_, at) => (at < 10 ? 'answered' : 'withdrawn')),
    );
  });

  test('a backup that was said to be there is there, whole; before that there is all of it or none', async () => {
    const dataDir = mkdtempSync(join(folder, 'source-'));
    const hub = await startHub({ DATA_DIR: dataDir });
    await ownerDevice(hub);
    await hub.stop();
    const target = mkdtempSync(join(folder, 'target-'));
    const trace = join(folder, 'trace-backup');
    const program = recorded(trace, [process.execPath, BUNDLE.command, 'backup', join(target, 'copy.sqlite')]);
    const { code } = await new Program(program, environment({ DATA_DIR: dataDir })).ended;
    const events = await readTrace(trace, target);
    const left = [...states(events, [], chance, 200)].map(({ before, files }) => {
      const copy = files.get(join(target, 'copy.sqlite'));
      const place = lay(folder, new Map(copy ? [['beckon.sqlite', copy]] : []));
      return copy ? faultsOf(place, []) : before ? [] : ['the backup is lost'];
    });
    deepStrictEqual([code, left.flat()], [0, []]);
  });
});

function readAll(folder: string): Map<string, Buffer> {
  return new Map(readdirSync(folder).map((name) => [join(folder, name), readFileSync(join(folder, name))]));
}

const SECRET = { questions: [{ id: 'pin', type: 'text', prompt: 'PIN?', secret: true }] };

function note(told: Told[], what: string, sql: string, ...ids: (string | undefined)[]): void {
  // The clock of the trace is finer: from the next millisecond on.
  told.push({ at: Date.now() + 1, what, ids, sql });
}

type Asking = { source: NewSourceReply; devices: Device[]; chance: Chance; told: Told[]; prompt: string };

async function askAndAnswer(hub: { url: string }, { source, devices, chance, told, prompt }: Asking): Promise<void> {
  const { id } = await must<Inquiry>(hub, 'POST /v1/inquiries', { token: source.key, body: { prompt } });
  const asked = 'select 1 from inquiries where id = ?';
  note(told, 'an inquiry', asked, id);
  const withdraw = () => call(hub, `POST /v1/inquiries/${id}/withdraw`, { token: source.key, body: {} });
  const answer = (device: Device) =>
    call(hub, `POST /v1/inquiries/${id}/answer`, { token: device.token, body: { text: `by ${device.name}` } });
  await Promise.all(devices.map(answer).concat(chance.number() < 0.2 ? [withdraw()] : []));
  const { resolution } = await must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token: source.key });
  const resolved = 'select 1 from inquiries where id = ? and outcome = ? and resolution like ?';
  const words = resolution?.answer && 'text' in resolution.answer ? resolution.answer.text : '';
  note(told, 'a resolution', resolved, id, resolution?.outcome, `%${words}%`);
}

/** States of the disk, evenly over all that happened; one for each moment that has nothing unsynced. */
function* states(events: DiskEvent[], told: Told[], chance: Chance, most: number): Generator<State> {
  const disk = new Disk();
  const share = most / (events.length * CUTS.length);
  let number = 0;
  let due = chance.number();
  for (const event of [...events, undefined]) {
    for (const cut of disk.unsynced ? CUTS : CUTS.slice(0, 1)) {
      if ((due += share) < 1) continue;
      due -= 1;
      const known = event ? told.filter(({ at }) => at < event.at) : told;
      yield { number: number++, cut, before: event, files: disk.after(cut, chance), told: known };
    }
    if (event) disk.apply(event);
  }
}

function lay(folder: string, files: Map<string, Buffer>): string {
  const at = mkdtempSync(join(folder, 'state-'));
  for (const [path, content] of files) writeFileSync(join(at, basename(path)), content, { mode: 0o600 });
  return at;
}

const HALF = {
  'an inquiry that nobody is asked': 'select id from inquiries where id not in (select inquiry_id from recipients)',
  'a resolution that its source is not told of':
    "select id from inquiries where outcome is not null and id not in (select inquiry_id from deliveries where type like '%resolved')",
  'an answer without a resolution':
    "select inquiry_id from answers where standing = 'won' and inquiry_id in (select id from inquiries where outcome is null)",
};

function faultsOf(at: string, told: Told[]): string[] {
  const database = new DatabaseSync(join(at, 'beckon.sqlite'));
  try {
    const check = database.prepare('pragma integrity_check').get()?.['integrity_check'];
    if (check !== 'ok') return [`the database is broken: ${String(check)}`];
    const lost = told.filter(({ sql, ids }) => !database.prepare(sql).get(...ids.map((id) => id ?? null)));
    if (told.length === 0) return [];
    const half = Object.entries(HALF).filter(([, sql]) => database.prepare(sql).get());
    return [...lost.map(({ what, ids }) => `${what} is lost: ${ids.join(' ')}`), ...half.map(([what]) => what)];
  } catch (error) {
    return [(error as Error).message];
  } finally {
    database.close();
  }
}

function describeState({ number, cut, before }: State): string {
  const event = before ? `${before.does} ${basename(before.path)}` : 'the end';
  return `state ${number}, ${cut} of what was unsynced before "${event}"`;
}
