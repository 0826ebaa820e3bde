import { AppError } from '#shared/problem.ts';
import { collectSource, requestSource } from '../../devices/enrolments/source-request.ts';
import type { Announce } from '../../devices/admit.ts';
import { describeDevice } from '../../devices/new-device.ts';
import type { Database } from '../../platform/database.ts';
import { routeFor } from '../../platform/http/access.ts';
import { readBodies } from '../../platform/http/bodies.ts';
import { ClientGone } from '../../platform/http/late-reply.ts';
import { toRefusal } from '../../platform/http/problems.ts';
import { TooMany } from '../../platform/http/rate-limits.ts';
import type { Http } from '../../platform/http/server.ts';
import type { Log } from '../../platform/log.ts';
import {
  Collect,
  Collected,
  Grant,
  GRANT_TYPE,
  GrantError,
  NewGrant,
  readForm,
  Refusal,
  UNTOLD,
  writeError,
} from './forms.ts';

const FORM = 'application/x-www-form-urlencoded';
const route = routeFor('public', 'A key by a person’s yes');

export type DeviceGrantDeps = { database: Database; announce: Announce; publicUrl: () => string; log: Log };

/** The device authorization grant (RFC 8628): an agent on any machine gets a source's key once the owner said yes. */
export async function deviceGrantRoutes(app: Http, deps: DeviceGrantDeps): Promise<void> {
  const { database, announce, publicUrl, log } = deps;
  await app.register(async (scope: Http) => {
    readBodies(scope, FORM, 'string', readForm);
    scope.addHook('onSend', async (_request, reply) => void reply.header('cache-control', 'no-store'));
    // RES5: a key makes no further one.
    scope.addHook('preHandler', async ({ caller }) => {
      if (caller?.kind === 'source')
        throw new AppError(403, 'credential.wrong_kind', 'A source asks for no further key.');
    });
    scope.setErrorHandler((thrown, request, reply) => {
      if (thrown instanceof ClientGone) return reply.hijack();
      const refused = thrown instanceof Refusal ? thrown : toRefusal(thrown, log, `${request.method} ${request.url}`);
      if (refused instanceof TooMany) void reply.header('retry-after', refused.retryAfterSeconds);
      const { status, body } = writeError(refused);
      return reply.code(status).send(body);
    });

    route(scope, 'POST /v1/device-authorizations', 'Ask the owner for the key of a new source (RFC 8628)', {
      operationId: 'requestSource',
      description:
        'Show `user_code`, and collect the key every `interval` seconds. The owner compares the code on any device that is signed in. A form, or JSON.',
      problems: ['enrolment.too_many'],
      body: NewGrant,
      response: { 200: Grant, 400: GrantError },
      handler: async (request) => {
        const { client_id: client, client_name: name = client, host_name: host } = request.body;
        const { userAgent, address } = describeDevice(request, name);
        const made = await requestSource(database, announce, { name, host, client, userAgent, address });
        const page = `${publicUrl().replace(/\/$/, '')}/connect`;
        return {
          device_code: made.deviceCode,
          user_code: made.userCode,
          verification_uri: page,
          verification_uri_complete: `${page}#${made.userCode}`,
          expires_in: made.expiresInS,
          interval: made.paceS,
        };
      },
    });

    route(scope, 'POST /v1/device-authorizations/token', 'Collect the key that the owner allowed (RFC 8628)', {
      operationId: 'collectSource',
      description:
        '400 with `authorization_pending` until the owner decides, `slow_down` where it is too soon; the key once. A form, or JSON.',
      body: Collect,
      response: { 200: Collected, 400: GrantError },
      handler: async ({ body: { grant_type: type, device_code: deviceCode, client_id: client } }) => {
        if (type !== GRANT_TYPE) throw new Refusal('unsupported_grant_type', `grant_type is to be ${GRANT_TYPE}.`);
        const made = await collectSource(database, { deviceCode, client });
        if (typeof made === 'string') throw new Refusal(...UNTOLD[made]);
        const { id, name } = made.source;
        return {
          access_token: made.key,
          token_type: 'Bearer' as const,
          source: { id, name },
          webhook_secret: made.webhookSecret,
        };
      },
    });
  });
}
