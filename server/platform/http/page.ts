import { existsSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Http } from './server.ts';
import fastifyStatic from '@fastify/static';
import helmet from 'helmet';
import { AppError } from '#shared/problem.ts';
import { sendProblem } from './problems.ts';

/** Where the reference is served. */
export const DOCS_PATH = '/docs';

const BUILT = resolve(import.meta.dirname, '../../../web/dist');
const YEAR_S = 31_536_000;

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
    if (path.startsWith('/v1/') || path.startsWith(`${DOCS_PATH}/`) || (/\.\w+$/.test(path) && !isFile(path))) {
      return reply.callNotFound();
    }
    if (!existsSync(join(BUILT, 'index.html'))) {
      return sendProblem(
        reply,
        new AppError(503, 'page.not_built', 'The page is not built yet: run "npm start", or "npx vite build web".'),
      );
    }
    const lasting = path.startsWith('/assets/');
    return reply
      .header('cache-control', lasting ? `public, max-age=${YEAR_S}, immutable` : 'no-cache')
      .sendFile(isFile(path) ? path.slice(1) : 'index.html', { cacheControl: false });
  });
}

function isFile(path: string): boolean {
  const file = resolve(BUILT, `.${decodeURI(path)}`);
  return file.startsWith(BUILT + sep) && existsSync(file) && file !== BUILT;
}
