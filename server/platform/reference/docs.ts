import type { Http } from '../http/server.ts';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { DOCS_PATH } from '../http/page.ts';
import { finish, type Document } from './document.ts';
import { describeOperation } from './operation.ts';
import { problemsPage } from './problems-page.ts';

const PROBLEMS_PATH = `${DOCS_PATH}/problems`;

const DESCRIPTION = `A hub between agents and the people who answer for them. An agent asks, the first answer of a person wins.

Sources send their key (\`bks_…\`), devices their token (\`bkd_…\`), both as \`Authorization: Bearer …\`. Every refusal is a problem document (RFC 9457) with a stable \`code\` and every fault located; [every code, and what to do](${PROBLEMS_PATH}). Times are ISO 8601 in UTC. Within \`/v1\` members and calls are added and never taken away: ignore what you do not know.`;

// No upgrade-insecure-requests: where a hub is opened over plain http, nothing answers https.
const POLICY = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'frame-ancestors': "'none'",
  'img-src': ["'self'", 'data:'],
  'object-src': "'none'",
  'script-src-attr': "'none'",
  // The one style attribute that the browsing page writes.
  'style-src': ["'self'", "'unsafe-hashes'", "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"],
};

/** Serves the OpenAPI 3.1 document, made from the schemas of the routes that follow, a page to browse it, and one of all problems. */
export async function serveDocs(app: Http): Promise<void> {
  const describe = createJsonSchemaTransform({ skipList: [] });
  const withComponents = createJsonSchemaTransformObject({});
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Beckon', version: '1', description: DESCRIPTION },
      components: {
        securitySchemes: {
          source: { type: 'http', scheme: 'bearer', description: 'A source key, bks_…' },
          device: { type: 'http', scheme: 'bearer', description: 'The token of an enrolled device, bkd_…' },
        },
      },
    },
    transform: (route) =>
      describeOperation(route.route, describe(route as never) as Parameters<typeof describeOperation>[1]) as never,
    transformObject: (document) => finish(withComponents(document) as Document) as never,
  });
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: POLICY,
    theme: { title: 'Beckon: every call' },
    // Elsewhere than at localhost it would show the document to a service on the web, for a badge.
    uiConfig: { tryItOutEnabled: true, persistAuthorization: false, validatorUrl: null },
  });
  app.get(PROBLEMS_PATH, { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(problemsPage()),
  );
}
