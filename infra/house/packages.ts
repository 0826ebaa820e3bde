import { specifiersOf } from './specifiers.ts';
import { isForTests, type SourceFile } from './tree.ts';

/**
 * Packages that a running hub would load but that `npm ci --omit=dev` leaves out, one sentence each: `dependencies`
 * is what server/main.ts loads, everything else is `devDependencies`.
 */
export function missingAtRunTime(files: SourceFile[], dependencies: string[]): string[] {
  const loaded = files.filter(({ path }) => /^(server|shared)\//.test(path) && !isForTests(path));
  return loaded.flatMap(({ path, text }) =>
    packagesOf(text)
      .filter((name) => !dependencies.includes(name))
      .map((name) => `${path} loads ${name}, which is not in dependencies`),
  );
}

function packagesOf(text: string): string[] {
  const names = specifiersOf(text)
    .filter(({ name, typeOnly }) => !typeOnly && !/^([.#]|node:)/.test(name))
    .map(({ name }) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(names)];
}
