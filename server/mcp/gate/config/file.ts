import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { toFaults } from '#shared/faults.ts';
import { GatesFile } from '#shared/policies/gate.ts';
import { parseWritten } from '#shared/json.ts';
import { SettingsError } from '../../../platform/settings.ts';
import { unreadCommands } from '../../../automation/rules/change.ts';
import { upstreamFaults, type GateConfig } from './store.ts';

/** The gates of the operator's file (GATES_FILE). Throws `SettingsError` with every fault of the file, one sentence each. */
export function readGatesFile(path: string | undefined, now: number): Map<string, GateConfig> {
  if (path === undefined) return new Map();
  const given = readJson(path);
  const parsed = GatesFile.safeParse(given);
  const programs = programFaults(given);
  const faults = parsed.success
    ? Object.entries(parsed.data.gates).flatMap(([name, { upstream, rules }]) =>
        [...upstreamFaults(upstream), ...unreadCommands(rules)].map((fault) => ({
          ...fault,
          path: `/gates/${name}${fault.path}`,
        })),
      )
    : toFaults(parsed.error).filter(({ path: at }) => !programs.some((one) => at.startsWith(one.path)));
  if (programs.length + faults.length > 0 || !parsed.success) {
    const sentences = [...programs, ...faults].map((fault) => `${fault.path || 'The file'} ${fault.message}.`);
    throw new SettingsError(`The file ${path} (GATES_FILE) cannot be used:\n${sentences.join('\n')}`);
  }
  return new Map(
    Object.entries(parsed.data.gates).map(([name, { upstream, ...policy }]) => [
      name,
      {
        ...policy,
        name,
        from: 'file',
        upstream: { url: upstream.url, headers: upstream.headers ?? {} },
        changedAt: now,
      },
    ]),
  );
}

const Program = z.object({ command: z.string(), args: z.array(z.string()).default([]) });
const Programs = z.object({
  gates: z.record(z.string(), z.looseObject({ upstream: Program.optional().catch(undefined) }).catch({})),
});

/** The gates that name a program: a hub starts none, and the line to use instead keeps their rules. */
function programFaults(given: unknown): { path: string; message: string }[] {
  return Object.entries(Programs.safeParse(given).data?.gates ?? {}).flatMap(([name, { upstream, ...policy }]) => {
    if (!upstream) return [];
    const hasPolicy = Object.keys(policy).length > 0;
    const options = ['--name', name, ...(hasPolicy ? ['--config', `${name}.json`] : [])];
    const line = ['beckon', 'gate', ...options, '--', upstream.command, ...upstream.args].map(quoted).join(' ');
    const rest = hasPolicy ? `with ${JSON.stringify(policy)} in ${name}.json ` : '';
    const message = `names a program, which the hub does not start: ${rest}use "${line}" as the server's command in the client`;
    return [{ path: `/gates/${name}/upstream`, message }];
  });
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function readJson(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingsError(`The file ${path} (GATES_FILE) cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
  try {
    return parseWritten(text);
  } catch (error) {
    throw new SettingsError(`The file ${path} (GATES_FILE) is not JSON: ${(error as Error).message}.`);
  }
}
