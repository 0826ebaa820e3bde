import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import type { Http } from './http.ts';

export const DOCS_PATH = '/docs';

/** Serves the OpenAPI 3.1 document, made from the schemas of the routes that follow, and a page to browse it. */
export async function serveDocs(app: Http): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Beckon',
        version: '1',
        description:
          'A hub between agents and the people who answer for them. Refusals are problem documents (RFC 9457) that name every fault.',
      },
      components: {
        securitySchemes: {
          source: { type: 'http', scheme: 'bearer', description: 'A source key, bks_…' },
          device: { type: 'http', scheme: 'bearer', description: 'The token of an enrolled device, bkd_…' },
        },
      },
    },
    transform: (route) => {
      const described = createJsonSchemaTransform({ skipList: [] })(route as never);
      const access = route.route.config?.access;
      const hidden = !route.url.startsWith('/v1/') || access === 'connection';
      return { url: described.url, schema: { ...described.schema, hide: hidden, security: securityOf(access) } };
    },
  });
  await app.register(swaggerUi, {
    routePrefix: DOCS_PATH,
    staticCSP: true,
    theme: { title: 'Beckon: every call' },
    uiConfig: { tryItOutEnabled: true, persistAuthorization: false },
  });
}

function securityOf(access: string | undefined): Record<string, string[]>[] {
  if (access === 'source') return [{ source: [] }];
  if (access === 'device' || access === 'owner') return [{ device: [] }];
  return access === 'any' ? [{ source: [] }, { device: [] }] : [];
}
