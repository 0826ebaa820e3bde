import { Policies, PutPolicies } from '#shared/policies/rule.ts';
import type { Database } from '../../platform/database.ts';
import { deviceOf, routeFor } from '../../platform/http/access.ts';
import type { Http } from '../../platform/http/server.ts';
import { putPolicies, readPolicies, type Which } from './change.ts';

/** A person's own rules, and those of the hub, which are the owner's. */
export function policyRoutes(app: Http, { database }: { database: Database }): void {
  for (const [path, of] of [
    ['/v1/policies', 'person'],
    ['/v1/policies/hub', 'hub'],
  ] as const) {
    const route = routeFor(of === 'hub' ? 'owner' : 'device', 'Policies');
    const Which = of === 'hub' ? 'Hub' : 'Own';
    const whose = of === 'hub' ? 'of the hub, which act on every inquiry' : 'of mine, for what I alone am asked';
    const which = (request: Parameters<typeof deviceOf>[0]): Which => ({ of, personId: deviceOf(request).person.id });

    route(app, `GET ${path}`, `Read the rules ${whose}`, {
      operationId: `read${Which}Policies`,
      description: 'With the version that a new list has to name.',
      response: { 200: Policies },
      handler: (request) => readPolicies(database, which(request)),
    });

    route(app, `PUT ${path}`, `Replace the rules ${whose}`, {
      operationId: `put${Which}Policies`,
      description: 'The whole list in its order: the first rule that fits an inquiry counts.',
      problems: ['policies.changed'],
      body: PutPolicies,
      response: { 200: Policies },
      handler: (request) => putPolicies(database, which(request), request.body, deviceOf(request).id),
    });
  }
}
