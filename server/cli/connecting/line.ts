import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { AppError } from '#shared/problem.ts';
import { readSettings } from '../../platform/settings.ts';
import { createSource } from '../../sources/create.ts';
import { hubClient } from '../command/hub-client.ts';
import { hasData, withHubData, type HubData } from '../command/hub-data.ts';
import { UsageError, type Terminal } from '../command/terminal.ts';
import type { Agent, Line } from './agents.ts';
import { hubsIn, KEY_IN } from './files.ts';
import { askForKey } from './grant.ts';

const REPLIES_MS = 10_000;
/** Whoever has a device's token answers in a person's name: no agent is to have one. */
const SOURCE_KEY = /^bks_[\w-]+$/;
const NO_SOURCE_KEY =
  'This BECKON_KEY is no key of a source, and an agent gets nothing else: make one on the page of the hub, under Connect; it begins with bks_.';
/** A name in it that no inquiry has, so that only the key decides how it is refused. */
const NO_INQUIRY = 'inq_00000000000000000000000000';

/** A hub, with a key that it knows or none yet: then one is made here, or asked of the owner. */
export type Wanted = { url: string; key: string | undefined; made?: 'here' };

/** Which hub an agent is to be connected to, and with which key. One sentence where the key is none of it. */
export async function findLine(agent: Agent, terminal: Terminal, hub?: string): Promise<Wanted> {
  const { BECKON_URL = '', BECKON_KEY } = terminal.env;
  const settings = readSettings(terminal.env);
  const given = hub ?? BECKON_URL;
  const url = (given || `http://127.0.0.1:${settings.PORT}`).replace(/\/$/, '');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError(
      `${hub === undefined ? 'BECKON_URL' : '--hub'} must look like https://beckon.example.com, not ${url}.`,
    );
  if (BECKON_KEY && !SOURCE_KEY.test(BECKON_KEY)) throw new UsageError(NO_SOURCE_KEY);
  const key = BECKON_KEY || (await findKey(agent, url));
  const known = await isKnown(url, key ?? 'bks_none');
  if (known) return { url, key };
  if (BECKON_KEY) throw new UsageError(`The hub at ${url} does not know this BECKON_KEY.`);
  const isHere =
    (await hasData(settings)) && (!given || (await withHubData(terminal, async (data) => isHubAt(data, url))));
  return { url, key: undefined, ...(isHere ? { made: 'here' as const } : {}) };
}

/** The same with a key: where there is none one is made, or the owner is asked for it. */
export async function completeLine({ url, key, made: where }: Wanted, agent: Agent, terminal: Terminal): Promise<Line> {
  if (key !== undefined) return { url, key };
  const name = `${agent.label}, ${hostname()}`.slice(0, 80);
  if (where === undefined) return { url, key: await askForKey(url, name, terminal) };
  const made = await withHubData(terminal, (data) => makeKey(data, name));
  if (await isKnown(url, made)) return { url, key: made };
  throw new UsageError(`The hub at ${url} is another one than that of the data on this machine; set BECKON_URL.`);
}

/** Addresses change less often than keys are lost: a second try of the same name gets a number. */
async function makeKey({ database, owner }: HubData, name: string): Promise<string> {
  for (let at = 1; ; at++) {
    const asked = { name: at === 1 ? name : `${name} (${at})` };
    try {
      return (await createSource(database, owner.id, asked, { newName: true })).key;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'source.taken')) throw error;
    }
  }
}

function isHubAt({ publicUrl, settings }: HubData, url: string): boolean {
  const own = `http://127.0.0.1:${settings.PORT}`;
  return [publicUrl, own, own.replace('127.0.0.1', 'localhost')].includes(url);
}

async function isKnown(url: string, key: string): Promise<boolean> {
  try {
    await hubClient(url, key).read(NO_INQUIRY, 0, AbortSignal.timeout(REPLIES_MS));
    return true;
  } catch (error) {
    const { status, code } = error instanceof AppError ? error : {};
    if (status === 401) return false;
    if (status === 404 && code === 'inquiry.unknown') return true;
    throw error;
  }
}

/**
 * The key that the agent has by now, if it was made for the hub at `url`: it is sent to no other. It stands in the first
 * of the agent's files: others may hold keys that somebody wrote in a talk. A file with the key alone has its address in
 * the next.
 */
async function findKey({ parts: [first, second] }: Agent, url: string): Promise<string | undefined> {
  const [text, beside] = await Promise.all(
    [first, first?.own ? second : first].map(async (part) => (part ? readFile(part.file, 'utf8').catch(() => '') : '')),
  );
  const hubs = hubsIn(beside ?? '');
  const isItsOwn = hubs.length > 0 && hubs.every((hub) => URL.parse(hub)?.origin === new URL(url).origin);
  return isItsOwn ? KEY_IN.exec(text ?? '')?.[0] : undefined;
}

/** The key that stands where `connect` puts one, whichever hub it is for. */
export async function keyIn({ parts: [first] }: Agent): Promise<string | undefined> {
  const text = first ? await readFile(first.file, 'utf8').catch(() => '') : '';
  return KEY_IN.exec(text)?.[0];
}
