import type { Tool } from '@modelcontextprotocol/client';
import { AppError } from '#shared/problem.ts';
import type { Log } from '../platform/log.ts';
import type { Catalogue, GateConfig } from './gates.ts';
import { toolsIn } from './tools-in.ts';

const KEPT_MS = 60_000;
/** After a failure the upstream is left alone this long: every call would wait for it again. */
const FAILED_MS = 30_000;

/** Reads every page of an upstream's tools; throws within 10 s what keeps it from that. */
export type ReadTools = (gate: GateConfig) => Promise<Tool[]>;

type Entry = { changedAt: number; until: number; tools: Promise<Tool[]> };

/** What upstreams say of their tools, read at most once a minute and once at a time for each gate. */
export function createCatalogue({ read, log, now }: { read: ReadTools; log: Log; now: () => number }): Catalogue {
  const entries = new Map<string, Entry>();

  const toolsOf = (gate: GateConfig): Promise<Tool[]> => {
    const known = entries.get(gate.name);
    if (known && known.changedAt === gate.changedAt && known.until > now()) return known.tools;
    const entry: Entry = { changedAt: gate.changedAt, until: Infinity, tools: read(gate).then(toolsIn) };
    entries.set(gate.name, entry);
    entry.tools.then(
      () => (entry.until = now() + KEPT_MS),
      (error: Error) => {
        entry.until = now() + FAILED_MS;
        log.warn({ gate: gate.name, reason: error.message }, 'could not read the tools of an upstream');
      },
    );
    return entry.tools;
  };
  return {
    async tool(gate, name) {
      try {
        return (await toolsOf(gate)).find((tool) => tool.name === name);
      } catch {
        return undefined;
      }
    },
    async tools(gate) {
      try {
        return await toolsOf(gate);
      } catch (error) {
        entries.delete(gate.name);
        throw new AppError(
          424,
          'gate.upstream_unreachable',
          `The MCP server behind the gate "${gate.name}" did not say which tools it has: ${(error as Error).message}.`,
        );
      }
    },
    forget: (name) => void entries.delete(name),
  };
}
