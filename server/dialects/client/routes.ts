import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { routeFor } from '../../platform/http/access.ts';
import type { Http } from '../../platform/http/server.ts';

const FILES: [name: string, file: string, type: string][] = [
  ['beckon.mjs', 'beckon.mjs', 'text/javascript'],
  ['beckon.d.mts', 'beckon.d.mts', 'text/plain'],
  ['beckon.d.ts', 'beckon.d.mts', 'text/plain'],
  ['beckon.py', 'beckon.py', 'text/x-python'],
  ['receipt.mjs', 'receipt.mjs', 'text/javascript'],
  ['receipt.d.mts', 'receipt.d.mts', 'text/plain'],
  ['receipt.py', 'receipt.py', 'text/x-python'],
];

/** The files that an agent asks with, for everybody who reaches the hub: they hold no secret. */
export function clientRoutes(app: Http): void {
  for (const [name, file, type] of FILES)
    routeFor('public', 'Sources')(app, `GET /client/${name}`, `The client for agents: ${name}`, {
      operationId: name,
      description: 'One file, without dependencies.',
      handler: async (_request, reply) =>
        reply.type(`${type}; charset=utf-8`).send(await readFile(join(import.meta.dirname, file), 'utf8')),
    });
}
