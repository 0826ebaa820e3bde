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

const ICON = {
  filename: 'beckon.svg',
  rel: 'icon',
  type: 'image/svg+xml',
  sizes: 'any',
  content: `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512"><rect width="512" height="512" rx="112" fill="#b3281a"/><path transform="translate(130.79 89.69) scale(12.6470)" fill="#fcfbf8" d="M9.8.6c-5 0-8.6 3.5-8.6 8.2 0 4.3 3 7.5 7.1 7.9.4 0 .7.4.6.8-.7 2.6-2.7 4.6-5.6 5.9-.6.3-.8.9-.5 1.4l.5.9c.2.5.8.7 1.3.5 8-2.9 14-9 14-16.6C18.6 4.3 15 .6 9.8.6z"/></svg>`,
};

/** What the calls are grouped by, in the order in which the page shows them. */
const TAGS = {
  Sources: 'What an agent calls: ask, wait, read, take back. The keys of agents too.',
  Webhooks: 'What the hub posts when something happened, and what became of it.',
  Receipts: 'Signed statements of what was decided, for whoever acts on them.',
  Notices: 'Messages that want no answer.',
  People: 'What a person does from a device: look through, answer, move a deadline. The people too.',
  Groups: 'People who are asked together.',
  Devices: 'What people are signed in on.',
  Passkeys: 'What a person signs grave answers with, and the printed codes beside them.',
  'Letting a device in': 'Links, codes and requests with which a device is enrolled.',
  'A key by a person’s yes': 'How an agent on any machine gets the key of a source: RFC 8628.',
  'Web Push': "A device's own notifications.",
  Policies: 'Rules that answer or ask quietly, and YOLO.',
  Deciders: 'Agents that answer on a person’s behalf.',
  Connections: 'Platforms that cannot call this API.',
  Gates: 'MCP servers whose calls wait for a person.',
};

/** Serves the OpenAPI 3.1 document, made from the schemas of the routes that follow, a page to browse it, and one of all problems. */
export async function serveDocs(app: Http): Promise<void> {
  const describe = createJsonSchemaTransform({ skipList: [] });
  const withComponents = createJsonSchemaTransformObject({});
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Beckon',
        version: '1',
        description: DESCRIPTION,
        contact: { name: 'Whoever runs this hub' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'The hub that serves this document.' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
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
    theme: { title: 'Beckon: every call', favicon: [ICON] },
    logo: { type: ICON.type, content: ICON.content },
    // Elsewhere than at localhost it would show the document to a service on the web, for a badge.
    uiConfig: { layout: 'BaseLayout', tryItOutEnabled: true, persistAuthorization: false, validatorUrl: null },
  });
  app.get(PROBLEMS_PATH, { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(problemsPage()),
  );
}
