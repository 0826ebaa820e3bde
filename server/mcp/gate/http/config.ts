import type { Http } from '../../../platform/http/server.ts';
import { z } from 'zod';
import { ChangeGate, Gate, GateName, GateTools, MadeGate, type GateTool } from '#shared/policies/gate.ts';
import { list } from '#shared/wire.ts';
import { iso } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import { deviceOf, routeFor } from '../../../platform/http/access.ts';
import { decide } from '../../../automation/rules/decide.ts';
import type { Catalogue } from '../catalogue.ts';
import { unknownGate, type GateConfig, type GateStore } from '../config/store.ts';
import { makeGate } from './make.ts';

const params = z.object({ name: GateName });

type Parts = {
  database: Database;
  store: GateStore;
  catalogue: Catalogue;
  /** The address under which clients reach this hub. */
  publicUrl: () => string;
};

/** The owner's calls about gates. */
export function gateConfigRoutes(app: Http, { publicUrl, ...parts }: Parts): void {
  const { store, catalogue } = parts;
  const route = routeFor('owner', 'Gates');

  route(app, 'GET /v1/gates', 'List gates', {
    operationId: 'listGates',
    description: 'MCP servers whose calls wait for people.',
    response: { 200: list(Gate) },
    handler: async () => ({
      items: (await store.list()).map((gate) => toView(gate, publicUrl())),
    }),
  });

  route(app, 'PUT /v1/gates/:name', 'Make or change a gate', {
    operationId: 'putGate',
    description: 'Clients use its `url` in place of the MCP server. Without `headers` the stored ones stay.',
    problems: ['gate.of_file', 'gate.headers_of_another_host'],
    params,
    body: ChangeGate,
    response: { 200: MadeGate },
    handler: async (request) => {
      const { id: deviceId, person } = deviceOf(request);
      const by = { personId: person.id, deviceId };
      const { gate, ...made } = await makeGate(parts, { name: request.params.name, change: request.body, by });
      return { ...toView(gate, publicUrl()), ...made };
    },
  });

  route(app, 'DELETE /v1/gates/:name', 'Remove a gate; what it asked stays answerable', {
    operationId: 'removeGate',
    description: 'Its address is unknown from now on.',
    problems: ['gate.unknown', 'gate.of_file'],
    params,
    response: { 204: z.undefined().describe('removed') },
    handler: async ({ params: { name } }) => {
      await store.remove(name);
      catalogue.forget(name);
    },
  });

  route(app, 'GET /v1/gates/:name/tools', 'List the tools behind a gate, with what it does to their calls', {
    operationId: 'listGateTools',
    description: 'Asks the MCP server which tools it has.',
    problems: ['gate.unknown', 'gate.upstream_unreachable'],
    params,
    response: { 200: GateTools },
    handler: async ({ params: { name } }) => {
      const gate = await store.find(name);
      if (!gate) throw unknownGate(name);
      return { items: (await catalogue.tools(gate)).map((tool) => toolView(gate, tool)) };
    },
  });
}

function toView({ upstream, changedAt, ...gate }: GateConfig, publicUrl: string): Gate {
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
