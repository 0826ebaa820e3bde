import { readFileSync } from 'node:fs';
import { faultsOf } from '#shared/faults.ts';
import { GatesFile } from '#shared/gate.ts';
import { SettingsError } from '../../platform/settings.ts';
import type { GateConfig } from '../gates.ts';
import { upstreamFaults } from './upstream.ts';

/**
 * The gates of the operator's file (GATES_FILE), the only ones that may start programs. Throws
 * `SettingsError` with every fault of the file, one sentence each.
 */
export function readGatesFile(path: string | undefined, now: number): Map<string, GateConfig> {
  if (path === undefined) return new Map();
  const parsed = GatesFile.safeParse(readJson(path));
  const faults = parsed.success
    ? Object.entries(parsed.data.gates).flatMap(([name, { upstream }]) =>
        upstreamFaults(upstream).map((fault) => ({ ...fault, path: `/gates/${name}${fault.path}` })),
      )
    : faultsOf(parsed.error);
  if (faults.length > 0 || !parsed.success) {
    const sentences = faults.map((fault) => `${fault.path || 'The file'} ${fault.message}.`);
    throw new SettingsError(`The file ${path} (GATES_FILE) cannot be used:\n${sentences.join('\n')}`);
  }
  return new Map(
    Object.entries(parsed.data.gates).map(([name, { upstream, ...policy }]) => [
      name,
      { ...policy, name, from: 'file', upstream: inFull(upstream), changedAt: now },
    ]),
  );
}

type Upstream = (typeof GatesFile)['_output']['gates'][string]['upstream'];

function inFull(upstream: Upstream): GateConfig['upstream'] {
  return 'url' in upstream
    ? { url: upstream.url, headers: upstream.headers ?? {} }
    : { command: upstream.command, args: upstream.args ?? [], env: upstream.env ?? {}, cwd: upstream.cwd };
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(`The file ${path} (GATES_FILE) cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SettingsError(`The file ${path} (GATES_FILE) is not JSON: ${(error as Error).message}.`);
  }
}
