import { z } from 'zod';
import { invalid } from '#shared/faults.ts';
import { ChangeGate, Gate, GateName, GateTools, type GateTool } from '#shared/gate.ts';
import type { Fault } from '#shared/problem.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { deviceOf } from '../../platform/http/access.ts';
import type { Http } from '../../platform/http/http.ts';
import { decide } from '../../policies/decide.ts';
import type { Catalogue } from '../catalogue.ts';
import { unknownGate, upstreamFaults, type GateConfig, type GateStore } from '../config/store.ts';

const Name = z.object({ name: GateName });
const tags = ['Gates'];
const config = { access: 'owner' } as const;

export type GateRouteParts = {
  database: Database;
  store: GateStore;
  catalogue: Catalogue;
  /** The address under which clients reach this hub. */
  publicUrl: () => string;
};

/** The owner's calls about gates. */
export function gateConfigRoutes(app: Http, { database, store, catalogue, publicUrl }: GateRouteParts): void {
  const shown = (gate: GateConfig): Gate => viewOf(gate, publicUrl());

  app.get(
    '/v1/gates',
    { config, schema: { summary: 'List gates', tags, response: { 200: z.object({ items: z.array(Gate) }) } } },
    async () => ({ items: (await store.list()).map(shown) }),
  );

  app.put(
    '/v1/gates/:name',
    {
      config,
      schema: { summary: 'Make or change a gate', tags, params: Name, body: ChangeGate, response: { 200: Gate } },
    },
    async (request) => {
      const { params, body } = request;
      const faults = [...upstreamFaults(body.upstream), ...(await strangers(database, body))];
      if (faults.length > 0) throw invalid(faults);
      const gate = await store.put(params.name, body, deviceOf(request).id);
      catalogue.forget(params.name);
      return shown(gate);
    },
  );

  app.delete(
    '/v1/gates/:name',
    {
      config,
      schema: {
        summary: 'Remove a gate; what it asked stays answerable',
        tags,
        params: Name,
        response: { 204: z.undefined().describe('removed') },
      },
    },
    async ({ params }, reply) => {
      await store.remove(params.name);
      catalogue.forget(params.name);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v1/gates/:name/tools',
    {
      config,
      schema: {
        summary: 'List the tools behind a gate, with what it does to their calls',
        tags,
        params: Name,
        response: { 200: GateTools },
      },
    },
    async ({ params }) => {
      const gate = await store.find(params.name);
      if (!gate) throw unknownGate(params.name);
      return { items: (await catalogue.tools(gate)).map((tool) => toolView(gate, tool)) };
    },
  );
}

function viewOf({ upstream, changedAt, ...gate }: GateConfig, publicUrl: string): Gate {
  return {
    ...gate,
    url: `${publicUrl}/mcp/gate/${gate.name}`,
    upstream: { url: upstream.url, headerNames: Object.keys(upstream.headers) },
    ...(gate.from === 'api' ? { changedAt: iso(changedAt) } : {}),
  };
}

function toolView(gate: GateConfig, tool: Awaited<ReturnType<Catalogue['tools']>>[number]): GateTool {
  const verdict = decide(gate, tool.name, tool);
  const { name, title, description, annotations } = tool;
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(annotations === undefined ? {} : { annotations }),
    does: verdict.does,
    ...(verdict.rule === undefined ? {} : { rule: verdict.rule }),
    ...(verdict.does === 'ask' ? { allowed: verdict.allowed, caution: verdict.caution } : {}),
  };
}

/** Handles and sources that nobody has: a typing error would refuse every call. */
async function strangers({ read }: Database, { to = [], sources = [] }: ChangeGate): Promise<Fault[]> {
  const handles = new Set(
    to.length === 0
      ? []
      : (
          await read
            .selectFrom('people')
            .select('handle')
            .where('handle', 'in', to)
            .unionAll(read.selectFrom('groups').select('handle').where('handle', 'in', to))
            .execute()
        ).map(({ handle }) => handle),
  );
  const ids = new Set(
    sources.length === 0
      ? []
      : (await read.selectFrom('sources').select('id').where('id', 'in', sources).execute()).map(({ id }) => id),
  );
  return [
    ...to.flatMap((handle, at) =>
      handles.has(handle) ? [] : [{ path: `/to/${at}`, code: 'handle.unknown', message: 'names nobody' }],
    ),
    ...sources.flatMap((id, at) =>
      ids.has(id) ? [] : [{ path: `/sources/${at}`, code: 'source.unknown', message: 'is no source of this hub' }],
    ),
  ];
}
