import { existsSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Http } from './server.ts';
import fastifyStatic from '@fastify/static';
import helmet from 'helmet';
import { AppError } from '#shared/problem.ts';
import { sendProblem } from './problems.ts';

/** Where the reference is served. */
export const DOCS_PATH = '/docs';

/** Whoever calls one that is none takes no page for its reply. */
const OF_CALLS = /^\/(v1|docs|aap|keycloak|mcp)\//;
const BUILT = resolve(import.meta.dirname, '../../../web/dist');
const INDEX = join(BUILT, 'index.html');
const YEAR_S = 31_536_000;
// A clone has the source of the page too. In the package the command line has a name, which the page shows in its lines.
const COMMAND = existsSync(join(BUILT, '../index.html'))
  ? undefined
  : process.env['npm_command'] === 'exec'
    ? 'npx beckon'
    : 'beckon';

/** Serves the built page at every address that is no call, under a policy that runs and loads nothing from elsewhere. */
export async function servePage(app: Http, { secure }: { secure: boolean }): Promise<void> {
  // Made once: the plugin for Fastify would parse the policy again at each request.
  const protect = helmet({
    hsts: secure ? { maxAge: YEAR_S } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        imgSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
  });
  app.addHook('onRequest', (request, reply, done) => protect(request.raw, reply.raw, () => done()));
  await app.register(fastifyStatic, { root: BUILT, serve: false, preCompressed: true });
  app.get('/*', { config: { access: 'public' }, schema: { hide: true } }, (request, reply) => {
    const [path = ''] = request.url.split('?', 1);
    if (OF_CALLS.test(path) || (/\.\w+$/.test(path) && !isFile(path))) {
      return reply.callNotFound();
    }
    if (!existsSync(INDEX)) {
      return sendProblem(
        reply,
        new AppError(503, 'page.not_built', 'The page is not built yet: run "npm start", or "npx vite build web".'),
      );
    }
    const lasting = path.startsWith('/assets/');
    reply.header('cache-control', lasting ? `public, max-age=${YEAR_S}, immutable` : 'no-cache');
    if (COMMAND !== undefined && !isFile(path))
      return reply
        .type('text/html; charset=utf-8')
        .send(readFileSync(INDEX, 'utf8').replace('<html', `<html data-command="${COMMAND}"`));
    return reply.sendFile(isFile(path) ? path.slice(1) : 'index.html', { cacheControl: false });
  });
}

function isFile(path: string): boolean {
  const file = resolve(BUILT, `.${decodeURI(path)}`);
  return file.startsWith(BUILT + sep) && existsSync(file) && file !== BUILT;
}
