import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUNDLE } from '../bundle.ts';
import { environment, type Hub, SETTINGS } from './hub.ts';
import { Program } from './process.ts';
import { until } from './until.ts';

/** A process of hubs that share nothing but it: each has its own port, data and keys. */
export type Hubs = {
  /** Opens a new hub in a twentieth of the time that a process takes. */
  open(): Promise<Pick<Hub, 'url' | 'dataDir' | 'remove'>>;
  end(): Promise<void>;
};

/** For tests that do not end, restart or freeze their hub. */
export async function startHubs(): Promise<Hubs> {
  const program = new Program([process.execPath, BUNDLE.hubs], environment({}));
  const said = await until('the process of hubs', () => !program.running || /at (\S+)/.exec(program.out), 90_000);
  if (said === true) throw new Error(`the process of hubs did not start: ${program.err}`);
  const ask = async <T>(method: string, body: object): Promise<T> => {
    const reply = await fetch(said[1] ?? '', { method, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`the process of hubs failed: ${await reply.text()} ${program.err}`);
    return (await reply.json()) as T;
  };
  return {
    async open() {
      const start = performance.now();
      const dataDir = mkdtempSync(join(tmpdir(), 'beckon-hub-'));
      const { url } = await ask<{ url: string }>('POST', { ...SETTINGS, DATA_DIR: dataDir, PORT: '0' });
      performance.measure('test: start a hub', { start });
      return {
        url,
        dataDir,
        async remove() {
          await ask('DELETE', { url });
          rmSync(dataDir, { recursive: true, force: true });
        },
      };
    },
    end: async () => void (await program.end('SIGKILL')),
  };
}
