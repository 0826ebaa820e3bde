import { posix } from 'node:path';
import { parseSync } from 'vite';

/** A function by its file and name, as `server/inquiries/ask.ts#ask`. */
export type FunctionName = `${string}#${string}`;
type Node = { type: string; [member: string]: unknown };

/**
 * The functions of other files that this one calls by name, itself or through functions of its own file. What it reaches
 * through a parameter is no call by name.
 */
export function callsOf(readSource: (path: string) => string, called: FunctionName): Set<FunctionName> {
  const [path = '', name = ''] = called.split('#');
  const { imported, own } = readFile(path, readSource(path));
  const found = new Set<FunctionName>();
  const seen = new Set<string>();
  const look = (local: string): void => {
    if (seen.has(local)) return;
    seen.add(local);
    const target = imported.get(local);
    if (target) found.add(target);
    for (const callee of own.get(local) ?? []) look(callee);
  };
  if (!own.has(name)) throw new Error(`${path} has no function ${name}`);
  look(name);
  return found;
}

/** What a file imports by which name, and whom each of its own functions and constants calls. */
function readFile(path: string, text: string) {
  const imported = new Map<string, FunctionName>();
  const own = new Map<string, Set<string>>();
  for (const statement of parseSync(path, text).program.body as unknown as Node[]) {
    if (statement.type === 'ImportDeclaration') for (const one of importsOf(path, statement)) imported.set(...one);
    const declared = (statement['declaration'] as Node | null | undefined) ?? statement;
    if (declared.type === 'FunctionDeclaration') own.set(nameOf(declared['id']), calleesIn(declared));
    if (declared.type === 'VariableDeclaration')
      for (const one of declared['declarations'] as Node[]) own.set(nameOf(one['id']), calleesIn(one));
  }
  return { imported, own };
}

function importsOf(path: string, { source, specifiers, importKind }: Node): [string, FunctionName][] {
  const { value } = source as { value: string };
  if (importKind === 'type' || !/^(\.|#shared\/)/.test(value)) return [];
  const target = value.startsWith('#') ? value.slice(1) : posix.join(posix.dirname(path), value);
  return (specifiers as Node[])
    .filter((one) => one['importKind'] !== 'type' && one.type === 'ImportSpecifier')
    .map((one) => [nameOf(one['local']), `${target}#${nameOf(one['imported'])}`]);
}

function calleesIn(node: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const one of node) calleesIn(one, found);
  else if (node !== null && typeof node === 'object') {
    const { type, callee, arguments: given = [], name } = node as Node;
    // A function may also be handed over to be called, or stand in JSX as a component.
    if (type === 'CallExpression')
      for (const one of [callee, ...(given as Node[])]) if ((one as Node).type === 'Identifier') found.add(nameOf(one));
    if (type === 'JSXOpeningElement' && (name as Node).type === 'JSXIdentifier') found.add(nameOf(name));
    for (const member of Object.values(node)) calleesIn(member, found);
  }
  return found;
}

function nameOf(node: unknown): string {
  return (node as { name?: string }).name ?? '';
}
