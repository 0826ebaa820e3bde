import { z } from 'zod';
import { fault, invalid } from '#shared/faults.ts';
import { ChangeGate, Gate, GateName, GateTools, type GateTool } from '#shared/gate.ts';
import type { Fault } from '#shared/problem.ts';
import { list } from '#shared/wire.ts';
import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { deviceOf, routeFor } from '../../platform/http/access.ts';
import type { Http } from '../../platform/http/http.ts';
import { unreadCommands, withoutTimeZone } from '../../policies/change.ts';
import { decide } from '../../policies/decide.ts';
import type { Catalogue } from '../catalogue.ts';
import { unknownGate, upstreamFaults, type GateConfig, type GateStore } from '../config/store.ts';

const params = z.object({ name: GateName });

type Parts = {
  database: Database;
  store: GateStore;
  catalogue: Catalogue;
  /** The address under which clients reach this hub. */
  publicUrl: () => string;
};

/** The owner's calls about gates. */
export function gateConfigRoutes(app: Http, { database, store, catalogue, publicUrl }: Parts): void {
  const route = routeFor('owner', 'Gates');

  app.get(
    '/v1/gates',
    route('List gates', {
      operationId: 'listGates',
      description: 'MCP servers whose calls wait for people.',
      response: { 200: list(Gate) },
    }),
    async () => ({
      items: (await store.list()).map((gate) => viewOf(gate, publicUrl())),
    }),
  );

  app.put(
    '/v1/gates/:name',
    route('Make or change a gate', {
      operationId: 'putGate',
      description: 'Clients use its `url` in place of the MCP server. Without `headers` the stored ones stay.',
      problems: ['gate.of_file', 'gate.headers_of_another_host'],
      params,
      body: ChangeGate,
      response: { 200: Gate },
    }),
    async (request) => {
      const { name } = request.params;
      const { id, person } = deviceOf(request);
      const faults = [
        ...upstreamFaults(request.body.upstream),
        ...(await unknownNames(database, request.body)),
        ...unreadCommands(request.body.rules),
        ...(await withoutTimeZone(database, person.id, request.body.rules)),
      ];
      if (faults.length > 0) throw invalid(faults);
      const gate = await store.put(name, request.body, id);
      catalogue.forget(name);
      return viewOf(gate, publicUrl());
    },
  );

  app.delete(
    '/v1/gates/:name',
    route('Remove a gate; what it asked stays answerable', {
      operationId: 'removeGate',
      description: 'Its address is unknown from now on.',
      problems: ['gate.unknown', 'gate.of_file'],
      params,
      response: { 204: z.undefined().describe('removed') },
    }),
    async ({ params: { name } }, reply) => {
      await store.remove(name);
      catalogue.forget(name);
      return reply.code(204).send();
    },
  );

  app.get(
    '/v1/gates/:name/tools',
    route('List the tools behind a gate, with what it does to their calls', {
      operationId: 'listGateTools',
      description: 'Asks the MCP server which tools it has.',
      problems: ['gate.unknown', 'gate.upstream_unreachable'],
      params,
      response: { 200: GateTools },
    }),
    async ({ params: { name } }) => {
      const gate = await store.find(name);
      if (!gate) throw unknownGate(name);
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
  const { inputSchema: _input, outputSchema: _output, ...shown } = tool;
  return {
    ...shown,
    does: verdict.does,
    ...(verdict.rule === undefined ? {} : { rule: verdict.rule }),
    ...(verdict.does === 'ask' ? { allowed: verdict.allowed, caution: verdict.caution } : {}),
  };
}

/** Handles and sources that nobody has: a typing error would refuse every call. */
async function unknownNames({ read }: Database, { to = [], sources = [] }: ChangeGate): Promise<Fault[]> {
  // Postgres takes no list without members.
  const asked = ['', ...to];
  const handles = await read
    .selectFrom('people')
    .select('handle')
    .where('handle', 'in', asked)
    .unionAll(read.selectFrom('groups').select('handle').where('handle', 'in', asked))
    .execute();
  const ids = await read
    .selectFrom('sources')
    .select('id')
    .where('id', 'in', ['', ...sources])
    .execute();
  return [
    ...to.flatMap((handle, at) =>
      handles.some((one) => one.handle === handle) ? [] : [fault(`/to/${at}`, 'handle.unknown', 'names nobody')],
    ),
    ...sources.flatMap((id, at) =>
      ids.some((one) => one.id === id) ? [] : [fault(`/sources/${at}`, 'source.unknown', 'is no source of this hub')],
    ),
  ];
}
