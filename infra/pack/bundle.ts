// Makes dist/ of the tarball: the hub and its command line as JavaScript, with every package they load inside.
import { cpSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const SWAGGER = 'node_modules/@fastify/swagger-ui';

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  plugins: [pathsOfTheRepository()],
  ssr: { noExternal: true },
  build: {
    ssr: true,
    outDir: 'dist',
    emptyOutDir: true,
    target: 'node24',
    minify: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: { beckon: 'server/cli/main.ts', worker: 'server/platform/json-schema/worker.ts' },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
cpSync(join(root, SWAGGER, 'static'), join(root, 'dist/static'), { recursive: true });

/**
 * What the hub reads beside its code (migrations, the page, package.json) has the same path in the tarball as here, so
 * `import.meta` of a bundled module says where its source would stand.
 */
function pathsOfTheRepository(): Plugin {
  return {
    name: 'paths-of-the-repository',
    transform(code, id) {
      const path = relative(root, id).replaceAll('\\', '/');
      if (path.startsWith(SWAGGER)) return code.replace(/__dirname(, '\.\.')?/g, 'import.meta.dirname');
      if (!/^(server|shared)\//.test(path) || !code.includes('import.meta')) return null;
      return code
        .replaceAll('import.meta.main', 'false')
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/../${posix.dirname(path)}')`)
        .replaceAll('import.meta.url', `new URL('../${path}', import.meta.url).href`)
        .replace(/new URL\(.worker\.ts., .*?\.href\)/, `new URL('worker.js', import.meta.url)`);
    },
  };
}
