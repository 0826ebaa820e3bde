// Makes dist/ of the tarball: the hub and its command line as JavaScript, with every package they load inside. With the
// name of a folder inside this repository, that folder for tests, with files to start beside it (e2e/bundle.ts).
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix, relative, resolve } from 'node:path';
import { build, type Plugin } from 'vite';

const root = resolve(import.meta.dirname, '../..');
const [forTests] = process.argv.slice(2);
const outDir = resolve(root, forTests ?? 'dist');
/** From the folder that is made to the repository, or to what was unpacked from the tarball. */
const UP = relative(outDir, root).replaceAll('\\', '/');
const { peerDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  peerDependencies: Record<string, string>;
};
const SWAGGER = 'node_modules/@fastify/swagger-ui';

await build({
  root,
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  plugins: [pathsOfTheRepository()],
  // Whoever exports spans installs these beside the package.
  ssr: { noExternal: true, external: Object.keys(peerDependencies) },
  build: {
    ssr: true,
    outDir,
    emptyOutDir: true,
    target: 'node24',
    minify: forTests === undefined,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: {
        beckon: 'server/cli/main.ts',
        worker: 'server/platform/json-schema/worker.ts',
        ...(forTests === undefined ? {} : { hub: 'server/main.ts', hubs: 'server/cli/testing/hubs.ts' }),
      },
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
});
cpSync(join(root, SWAGGER, 'static'), join(outDir, 'static'), { recursive: true });
if (forTests !== undefined) {
  writeFileSync(join(outDir, 'start-hub.mjs'), "import { serve } from './hub.js';\nawait serve(process.env);\n");
  writeFileSync(join(outDir, 'start-hubs.mjs'), "import './hubs.js';\n");
  writeFileSync(
    join(outDir, 'start-command.mjs'),
    "import { runHere } from './beckon.js';\nawait runHere(process.argv.slice(2));\n",
  );
}

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
        .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${UP}/${posix.dirname(path)}')`)
        .replaceAll('import.meta.url', `new URL('${UP}/${path}', import.meta.url).href`)
        .replace(/new URL\(.worker\.ts., .*?\.href\)/, `new URL('worker.js', import.meta.url)`);
    },
  };
}
