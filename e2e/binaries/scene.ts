import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { AnswerBody } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { all, must } from '../hub/call.ts';
import { environment, startHub, type Hub } from '../hub/hub.ts';
import { packagesOf } from '../hub/packages.ts';
import { addSource, ownerDevice, type Device } from '../hub/people.ts';
import { Program } from '../hub/process.ts';
import { until } from '../hub/until.ts';
import { startModel, type ToolCall } from './model.ts';

/** A hub and the person who answers. */
export type People = { hub: Hub; owner: Device };

export async function openPeople(settings: Record<string, string> = {}): Promise<People> {
  const hub = await startHub(settings);
  return { hub, owner: await ownerDevice(hub) };
}

/** Where a program runs and whom it asks; everything that it reads and writes is its own. */
export type Place = {
  /** The folder that holds the large programs. */
  packages: string;
  home: string;
  folder: string;
  model: string;
  hub: { url: string; key: string; deadline: number | string };
};

/** Writes a program's settings, and says how it is started. */
export type Agent = (place: Place) => { command: string[]; env?: Record<string, string> };

export type Task = {
  calls: ToolCall[];
  deadline?: number | string;
  /** In place of the key of its source. */
  key?: string;
  /** Where it works, in place of a folder of its own; removed with it. */
  folder?: string;
  /** Done before the program starts. */
  first?: (place: Place, people: People) => Promise<unknown>;
};

/** A place for one program; `leave` when it has ended. */
export async function placeFor({ hub, owner }: People, { calls, deadline = 600, key, ...where }: Task) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'beckon-binary-')));
  const { folder = join(root, 'folder') } = where;
  const home = join(root, 'home');
  for (const path of [home, folder]) mkdirSync(path);
  const source = await addSource(hub, owner, root.slice(-6));
  const model = await startModel(calls);
  const place: Place = {
    packages: await packagesOf(join(import.meta.dirname, 'programs')),
    home,
    folder,
    model: model.url,
    hub: { url: hub.url, key: key ?? source.key, deadline },
  };
  const token = source.key;
  return {
    place,
    async leave(): Promise<void> {
      await until('the processes of the program to end', () => processesIn(root).length === 0).finally(() => {
        for (const pid of processesIn(root)) process.kill(pid, 'SIGKILL');
        model.close();
        for (const path of [root, folder]) rmSync(path, { recursive: true, force: true });
      });
    },
    told: model.told,
    sent: model.sent,
    strayed: model.strayed,
    /** What its tool wrote; undefined while it has not run. */
    ran(file = 'ran.txt'): string | undefined {
      const path = join(folder, file);
      return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
    },
    /** Its open questions. */
    open: () => all<Inquiry>(hub, '/v1/inquiries?state=open', token),
    /** All that it ever asked. */
    all: () => all<Inquiry>(hub, '/v1/inquiries', token),
    read: ({ id }: Inquiry) => must<Inquiry>(hub, `GET /v1/inquiries/${id}`, { token }),
    withdraw: ({ id }: Inquiry) => must(hub, `POST /v1/inquiries/${id}/withdraw`, { token, body: {} }),
    answer: ({ id, digest }: Inquiry, body: AnswerBody) =>
      must(hub, `POST /v1/inquiries/${id}/answer`, { token: owner.token, body: { digest, ...body } }),
  };
}

/** A program that works, and what it meets. */
export type Run = Awaited<ReturnType<typeof start>>;

/** Starts a program with this task; it never outlives its test. */
export async function start(t: TestContext, people: People, agent: Agent, task: Task) {
  const at = await placeFor(people, task);
  await task.first?.(at.place, people);
  const { command, env } = agent(at.place);
  const inFolder = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', at.place.folder, ...command];
  const program = new Program(inFolder, environmentOf(at.place, env));
  t.after(async () => {
    await program.end('SIGKILL');
    await at.leave();
  });
  return {
    ...at,
    people,
    program,
    /** Its question, once it has asked; nothing has run by then. */
    asked: () =>
      until('the program to ask', async () => {
        if (!program.running) throw new Error(`the program ended without a question: ${program.out}${program.err}`);
        const [inquiry] = await at.open();
        return inquiry;
      }),
  };
}

/** What works in these folders; only Linux tells. */
function processesIn(root: string): number[] {
  if (!existsSync('/proc/self/cwd')) return [];
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(root) ? [Number(pid)] : [];
    } catch {
      // It has ended.
      return [];
    }
  });
}

/** Only what stands here, so that nothing of the machine's own settings reaches a program, and nothing leaves the machine. */
export function environmentOf({ home, hub, model }: Place, more: Record<string, string> = {}): NodeJS.ProcessEnv {
  return environment({
    HOME: home,
    TMPDIR: home,
    BECKON_URL: hub.url,
    BECKON_KEY: hub.key,
    HTTP_PROXY: model,
    HTTPS_PROXY: model,
    NO_PROXY: '127.0.0.1,localhost',
    ...more,
  });
}
