import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import { PAGES } from './app/pages.ts';
import { GUIDES } from './connect/choices.ts';
import { type Guides, readSnippets } from './connect/guide.ts';

const FIRST = ['/web/main.tsx'];
const INQUIRY = ['/web/inquiry/InquiryBody.tsx', '/web/inquiry/words.ts'];
const MANY = ['/inbox/many/Many.tsx'];
// Small parts that most pages of settings share: each name of a file is 15 bytes of the service worker.
const ROWS = /\/web\/(app\/(clock|form\/RowAct)|connect\/(Under|Tabs)|settings\/SettingsPlaces|ui\/sentence\/Space)/;
const AT_ONCE = [
  '/app/banners/OptionalBanners.tsx',
  '/app/announcements/Announcements.tsx',
  '/app/announcements/Announcer.tsx',
  '/push/start.ts',
];

const root = fileURLToPath(new URL('.', import.meta.url));
const HUB = `http://127.0.0.1:${process.env['PORT'] ?? 4275}`;

export default defineConfig({
  root,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [webSocketOnly(), textOnly(), oneModule(), snippetsOfGuides(), namesOfTheShell(), compressed()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: ['chrome125', 'firefox128', 'safari18'],
    modulePreload: {
      polyfill: false,
      // A script names only the styles of its lazy parts: all names of their scripts are 1.5 KB of the first of them, and
      // the service worker has them soon.
      resolveDependencies: (_file, deps, { hostType }) =>
        hostType === 'js' ? deps.filter((name) => name.endsWith('.css')) : deps,
    },
    // A data: URL is one more thing for the policy to allow, and none of the assets is that small.
    assetsInlineLimit: 0,
    rollupOptions: {
      input: { main: `${root}index.html`, sw: `${root}service-worker/sw.ts` },
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash:7].js'),
        // As short as it can be: the page and its service worker name most of them.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        // A module is in the first part that takes it.
        codeSplitting: {
          groups: [
            part('main', (isFor) => isFor(FIRST) || (isFor(AT_ONCE) && isFor(INQUIRY))),
            part('shell', (isFor) => isFor(AT_ONCE)),
            part('inquiry', (isFor) => isFor(INQUIRY)),
            part('many', (isFor) => isFor(MANY)),
            { name: 'rows', test: ROWS },
          ],
        },
      },
    },
  },
  server: {
    strictPort: true,
    proxy: {
      '/v1': HUB,
      // The live line alone: sources of the page begin with /live/ too.
      '^/live/?(\\?|$)': { target: HUB, ws: true },
    },
  },
});

/**
 * One file of the modules that `takes` says yes to; `isFor` says whether one of these entries imports the module, over
 * however many steps. In files of their own modules compress worse, and each is one more request.
 */
function part(name: string, takes: (isFor: (entries: string[]) => boolean) => boolean) {
  const nameOf = (id: string, graph: Pick<Rolldown.PluginContext, 'getModuleInfo'>) => {
    const importers = new Set([id]);
    for (const one of importers) for (const more of graph.getModuleInfo(one)?.importers ?? []) importers.add(more);
    const all = [...importers];
    return takes((entries) => all.some((one) => entries.some((end) => one.endsWith(end)))) ? name : null;
  };
  return { name: nameOf };
}

/** Leaves the long-polling and WebTransport code of engine.io out: the hub speaks WebSocket only. About 5 KB compressed. */
function webSocketOnly(): Plugin {
  const name = 'web-socket-only';
  return {
    name,
    enforce: 'pre',
    apply: 'build',
    async resolveId(source, importer = '') {
      if (source === './transports/index.js' && importer.includes('/engine.io-client/'))
        return importer.replace(/[^/]+$/, `transports/websocket.js?${name}`);
      // The line is opened to where the page came from.
      if (source === './contrib/parseuri.js') return `\0${name}`;
      if (!/\/(socket|engine)\.io-client\//.test(importer) && source !== 'socket.io-client') return null;
      // Long polling hangs up its requests when a page is left, and none is ever made; `io()` is not used.
      const found = await this.resolve(source, importer, { skipSelf: true });
      return found && { ...found, moduleSideEffects: false };
    },
    transform(code, id) {
      if (!id.endsWith('/engine.io-client/build/esm/socket.js')) return null;
      // From long polling to WebSocket.
      const probe = / {4}_probe\(name\) \{\n.*?\n {4}\}\n/s;
      if (!probe.test(code)) throw new Error('engine.io-client has no _probe to leave out.');
      return code.replace(probe, '_probe() {}');
    },
    load(id) {
      if (id === `\0${name}`) return `export const parse = () => { throw new Error('an address'); }`;
      if (!id.endsWith(`?${name}`)) return null;
      return `import { WS } from ${JSON.stringify(id.slice(0, -name.length - 1))};\nexport const transports = { websocket: WS };`;
    },
  };
}

/** Leaves what reads and writes binary packets of Socket.IO out: the hub sends and takes text only. About 1 KB compressed. */
function textOnly(): Plugin {
  const id = '\0text-only';
  const never = `() => { throw new Error('a binary packet'); }`;
  return {
    name: 'text-only',
    enforce: 'pre',
    apply: 'build',
    resolveId: (source, importer) =>
      /^\.\/((is-)?binary|contrib\/base64-arraybuffer)\.js$/.test(source) &&
      /\/(socket|engine)\.io-parser\//.test(importer ?? '')
        ? id
        : null,
    load: (asked) =>
      asked === id
        ? `export const isBinary = () => false; export const hasBinary = isBinary; export const decode = ${never};
           export const deconstructPacket = decode; export const reconstructPacket = decode;`
        : null,
  };
}

/** Makes a module of the one script that is none: what it would need beside it would travel with the first page. */
function oneModule(): Plugin {
  return {
    name: 'one-module',
    enforce: 'pre',
    apply: 'build',
    transform: (code, id) =>
      id.endsWith('/highlight.js/lib/core.js')
        ? code.replace('module.exports = highlight;', 'export default highlight;')
        : null,
  };
}

/** Takes what Connect shows out of the guides, so that there is one text of it. */
function snippetsOfGuides(): Plugin {
  const name = 'virtual:snippets';
  return {
    name: 'snippets-of-guides',
    resolveId: (source) => (source === name ? `\0${name}` : null),
    load(id) {
      if (id !== `\0${name}`) return null;
      const read = (guide: string): string => {
        const path = fileURLToPath(new URL(`../infra/${guide}.md`, import.meta.url));
        this.addWatchFile(path);
        return readFileSync(path, 'utf8');
      };
      const snippets = readSnippets(Object.fromEntries(GUIDES.map((guide) => [guide, read(guide)])) as Guides);
      return `export const snippets = ${JSON.stringify(snippets)};`;
    },
  };
}

/** Writes the list of built files, a hash of it, and the paths of the page into the service worker. */
function namesOfTheShell(): Plugin {
  return {
    name: 'names-of-the-shell',
    apply: 'build',
    // Last: Vite takes the empty scripts of shared styles out before.
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const worker = bundle['sw.js'];
        if (worker?.type !== 'chunk') throw new Error('The build made no sw.js.');
        const files = Object.keys(bundle)
          .filter((name) => name.startsWith('assets/'))
          .map((name) => `/${name}`)
          .toSorted();
        const shell = ['/', '/manifest.webmanifest', '/favicon.svg', '/icon.svg', '/icon-192.png', ...files];
        const version = createHash('sha256').update(shell.join()).digest('hex').slice(0, 12);
        worker.code = `const SHELL=${JSON.stringify(shell)},VERSION=${JSON.stringify(version)},PAGES=${PAGES};\n${worker.code}`;
      },
    },
  };
}

/** Writes a brotli and a gzip form beside every text, so that the hub never compresses while somebody waits. */
function compressed(): Plugin {
  const brotli = (text: Buffer) =>
    promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: text.length } });
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const texts = Object.keys(bundle).filter((name) => /[.](js|css|html|svg|webmanifest)$/.test(name));
      await Promise.all(
        texts.map(async (name) => {
          const path = join(dir, name);
          const text = readFileSync(path);
          await writeFile(`${path}.br`, await brotli(text));
          await writeFile(`${path}.gz`, await promisify(gzip)(text, { level: 9 }));
        }),
      );
    },
  };
}
