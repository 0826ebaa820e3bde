import { rmSync } from 'node:fs';
import type { AnswerBody, AnswerReply, Resolution } from '#shared/answer.ts';
import type { Ask, Inquiry } from '#shared/inquiry.ts';
import { unheard } from '../announce.ts';
import { createCollected } from '../collected.ts';
import { createWaiters } from '../waiters.ts';
import { pino } from 'pino';
import { addDevice } from '../../devices/admit.ts';
import { writeLive } from '../../devices/presence.ts';
import { ensureOwner } from '../../people/owner.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { openDatabase } from '../../platform/engines/open.ts';
import { migratedFolder } from '../../platform/testing/folder.ts';
import { localSignals } from '../../platform/nodes/signals.ts';
import type { Automation } from '../../automation/automation.ts';
import { createSettling } from '../../automation/settling.ts';
import { createSourceForEverybody } from '../../sources/create.ts';
import { answerInquiry } from '../answer.ts';
import type { Answerer } from '../answerer.ts';
import { ask } from '../ask.ts';
import { createOpenCounts } from '../open-counts.ts';
import { readForSource } from '../read.ts';

export type News = {
  event:
    | 'inquiry'
    | 'moved'
    | 'withdraw'
    | 'later'
    | 'not_taken'
    | 'asker gone'
    | 'asker back'
    | 'picked up'
    | 'not picked up'
    | 'proposal';
  inquiryId?: string;
  versions: { personId: string; version: number }[];
  spare?: string | undefined;
};

/** Answers what one person is enough for. */
export const answerAlone = answerInquiry as (...given: Parameters<typeof answerInquiry>) => Promise<AnswerReply>;

/** A hub without its borders, on a real database, with a clock that only the test moves. */
export type Place = {
  inquiries: Automation;
  database: Database;
  sourceId: string;
  /** The owner's two devices. */
  phone: Answerer;
  laptop: Answerer;
  news: News[];
  counted: string[];
  owedWakes: () => number;
  /** Moves the clock by so many ms. */
  pass(ms: number): void;
  /** Asks without waiting and returns the id. */
  ask(ask: Ask): Promise<string>;
  /** Answers, by default on the phone. */
  answer(inquiryId: string, body: AnswerBody, by?: Answerer): Promise<AnswerReply>;
  /** The inquiry as its source reads it. */
  read(inquiryId: string): Promise<Inquiry>;
  resolution(inquiryId: string): Promise<Resolution | undefined>;
};

export type Opened = { place: Place; close(): Promise<void> };

/** A clock that the test has moved is the test's own; until then the database server's is read in its statements. */
function clockAfter(real: Clock, passed: () => number): Clock {
  return {
    now: () => real.now() + passed(),
    get inStatement() {
      return passed() === 0 ? real.inStatement : undefined;
    },
  };
}

/** Notes what devices are told. */
function heardBy(news: News[]): Partial<Automation['announce']> {
  return {
    inquiry: ({ inquiry, versions }) => void news.push({ event: 'inquiry', inquiryId: inquiry.id, versions }),
    moved: (versions) => void news.push({ event: 'moved', versions }),
    withdraw: ({ inquiryId, versions, spare }) => void news.push({ event: 'withdraw', inquiryId, versions, spare }),
    proposal: ({ inquiryId, versions }) => void news.push({ event: 'proposal', inquiryId, versions }),
    later: ({ inquiryId, at: _at, ...version }) => void news.push({ event: 'later', inquiryId, versions: [version] }),
    notTaken: ({ inquiryId }) => void news.push({ event: 'not_taken', inquiryId, versions: [] }),
    asker: ({ inquiryId, goneAt }) =>
      void news.push({ event: goneAt ? 'asker gone' : 'asker back', inquiryId, versions: [] }),
    pickedUp: ({ inquiryId, pickedUp }) =>
      void news.push({ event: pickedUp ? 'picked up' : 'not picked up', inquiryId, versions: [] }),
  };
}

/** The same place as another node serves it, which has read the rules by itself. */
export function anotherNode({ inquiries }: Pick<Place, 'inquiries'>): Automation {
  return { ...inquiries, settling: createSettling(inquiries.database, () => inquiries) };
}

/** Opens a place on SQLite, or on the Postgres at `databaseUrl`. */
export async function openPlace(databaseUrl?: string): Promise<Opened> {
  const dataDir = await migratedFolder();
  const log = pino({ level: 'silent' });
  const real = await openDatabase({ dataDir, databaseUrl, log });
  let passed = 0;
  const database: Database = { ...real, clock: clockAfter(real.clock, () => passed) };
  const owner = await ensureOwner(database);
  const { source } = await createSourceForEverybody(database, owner.id, 'Release train');
  const device = async (name: string): Promise<Answerer> => {
    const { deviceId } = await addDevice(database, owner.id, name);
    return {
      deviceId,
      deviceName: name,
      personId: owner.id,
      handle: owner.handle,
      via: 'live',
      screen: `screen of ${name}`,
    };
  };
  const [phone, laptop] = [await device('Phone'), await device('Laptop')];
  await writeLive(database, new Map([[phone.deviceId, database.clock.now() + 365 * 86_400_000]]));

  const news: News[] = [];
  const counted: string[] = [];
  let wakes = 0;
  const signals = localSignals();
  const inquiries: Automation = {
    database,
    announce: { ...unheard, proposal() {}, yolo() {}, ...heardBy(news) },
    settling: createSettling(database, () => inquiries),
    signals,
    waiters: createWaiters(signals),
    collected: createCollected({ database, log, announce: () => inquiries.announce }),
    wakeDeliveries: () => void wakes++,
    wakePushes: () => undefined,
    wakeDeciders: () => undefined,
    sealingKey: Buffer.alloc(32, 7),
    openLimit: 1000,
    openBytesLimit: 67_108_864,
    openCounts: createOpenCounts(),
    publicUrl: () => 'https://hub.test',
    composeReply: () => undefined,
    answering: new Set(),
    count: (event) => void counted.push(event),
    note: () => undefined,
  };
  const read = (id: string) => readForSource(inquiries, id, source.id);
  return {
    place: {
      inquiries,
      database,
      sourceId: source.id,
      phone,
      laptop,
      news,
      counted,
      owedWakes: () => wakes,
      pass: (ms) => (passed += ms),
      ask: async (asked) => (await ask(inquiries, { sourceId: source.id, ask: asked, waitMs: 0 })).inquiryId,
      answer: (id, body, by = phone) => answerAlone(inquiries, by, id, body),
      read,
      resolution: async (id) => (await read(id)).resolution,
    },
    async close() {
      inquiries.waiters.stop();
      await inquiries.collected.stop();
      await real.close();
      rmSync(dataDir, { recursive: true });
    },
  };
}
