import { deepStrictEqual, ok } from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { PROBLEMS } from '#shared/reference/problems.ts';
import { createApp, type App } from '../../app.ts';
import type { Database } from '../database.ts';
import { openDatabase } from '../engines/open.ts';
import { createLog } from '../log.ts';
import { readSettings } from '../settings.ts';

type Schema = { [member: string]: unknown; $ref?: string; description?: string; properties?: Record<string, Schema> };
type Content = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
type Said = { description?: string; schema?: Schema; example?: unknown; content?: Record<string, Content> };
type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: (Said & { name: string })[];
  requestBody?: Said;
  responses: Record<string, Said>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
};

let dataDir: string;
let database: Database;
let app: App;
let document: Document;

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'beckon-reference-'));
  database = await openDatabase({ dataDir });
  app = await createApp(readSettings({ DATA_DIR: dataDir, PORT: '0' }), database, createLog('silent'));
  document = (await app.http.inject('/docs/json')).json();
});

after(async () => {
  await app.stop();
  await rm(dataDir, { recursive: true });
});

/** Every operation and webhook, with the name that messages give it. */
function operations(): [name: string, operation: Operation][] {
  const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => [`${method.toUpperCase()} ${path}`, one] as [string, Operation]),
  );
  return [
    ...calls,
    ...Object.entries(document.webhooks).map(([type, { post }]) => [type, post] as [string, Operation]),
  ];
}

/** Calls back for every property, at any depth, of a schema that is no reference. */
function walk(schema: Schema, at: string, visit: (schema: Schema, at: string) => void): void {
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    visit(inner, `${at}.${name}`);
    walk(inner, `${at}.${name}`, visit);
  }
  for (const member of ['items', 'additionalProperties', 'propertyNames', 'not'])
    if (typeof schema[member] === 'object') walk(schema[member] as Schema, `${at}[]`, visit);
  for (const member of ['anyOf', 'oneOf', 'allOf', 'prefixItems'])
    for (const inner of (schema[member] as Schema[] | undefined) ?? []) walk(inner, at, visit);
}

test('every operation, parameter, property and response of the reference is described', () => {
  const missing: string[] = [];
  const check = (at: string, { description, $ref }: { description?: string; $ref?: string }): void => {
    if (!description && $ref === undefined) missing.push(at);
  };
  const checkAll = (schema: Schema, at: string): void => walk(schema, at, (one, place) => check(place, one));
  for (const [name, one] of operations()) {
    check(name, one);
    for (const member of ['operationId', 'summary', 'tags'] as const)
      if (!one[member]) missing.push(`${name} ${member}`);
    for (const parameter of one.parameters ?? [])
      check(`${name} ?${parameter.name}`, { ...parameter.schema, ...parameter } as Schema);
    for (const [status, said] of [['body', one.requestBody ?? {}], ...Object.entries(one.responses)] as [
      string,
      Said,
    ][]) {
      if (status !== 'body') check(`${name} ${status}`, said);
      for (const { schema } of Object.values(said.content ?? {})) checkAll(schema, `${name} ${status}`);
    }
  }
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    check(name, schema);
    checkAll(schema, name);
  }
  deepStrictEqual(missing, []);
});

test('no two operations have the same id, and no response says only that it is one', () => {
  const ids = operations().map(([, { operationId }]) => operationId);
  deepStrictEqual(
    ids.filter((id, at) => ids.indexOf(id) < at),
    [],
  );
  const usual = operations().flatMap(([name, { responses }]) =>
    Object.values(responses).some(({ description }) => description === 'Default Response') ? [name] : [],
  );
  deepStrictEqual(usual, []);
});

test('bodies and replies are named schemas, and every name in the reference leads somewhere', () => {
  const nameless = operations().flatMap(([name, { requestBody, responses }]) =>
    [requestBody ?? {}, ...Object.values(responses)].flatMap(({ content = {} }) =>
      Object.values(content).flatMap(({ schema }) =>
        schema['type'] === 'object' && Object.keys(schema.properties ?? {}).length > 3 ? [name] : [],
      ),
    ),
  );
  deepStrictEqual(nameless, []);
  const named = [...JSON.stringify(document).matchAll(/#\/components\/schemas\/([^"]+)/g)].map(
    ([, name]) => name ?? '',
  );
  deepStrictEqual(
    named.filter((name) => !(name in document.components.schemas)),
    [],
  );
  ok(new Set(named).size > 60);
});

test('no choice in the reference has lost its other options, and a member that must be sent is required', () => {
  const single: string[] = [];
  const look = (part: unknown, at: string): void => {
    if (typeof part !== 'object' || part === null) return;
    if ('anyOf' in part && Array.isArray(part.anyOf) && part.anyOf.length < 2) single.push(at);
    for (const [name, inner] of Object.entries(part)) look(inner, `${at}/${name}`);
  };
  look(document, '');
  deepStrictEqual(single, []);
  deepStrictEqual(document.components.schemas['AskYolo']?.['required'], ['minutes']);
});

test('every call lists the problems that it can answer, and each of them is a problem document', () => {
  const lacking = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => {
      const problems = Object.entries(responses).filter(
        ([, { content = {} }]) => 'application/problem+json' in content,
      );
      const statuses = problems.map(([status]) => status);
      return ['422', '429', '500', '503'].every((status) => statuses.includes(status)) ? [] : [`${method} ${path}`];
    }),
  );
  deepStrictEqual(lacking, []);
  deepStrictEqual(Object.keys(document.paths['/v1/inquiries/{id}/withdraw']?.['post']?.responses ?? {}), [
    '200',
    '400',
    '401',
    '403',
    '404',
    '409',
    '413',
    '415',
    '422',
    '429',
    '500',
    '503',
  ]);
});

test('every example in the reference is what its schema describes', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: document.components });
  const wrong: string[] = [];
  let seen = 0;
  const check = (at: string, name: string, example: unknown): void => {
    const valid = ajv.getSchema(`document#/components/schemas/${name}`);
    seen += 1;
    if (!valid?.(example)) wrong.push(`${at}: ${JSON.stringify(valid?.errors)}`);
  };
  for (const [name, schema] of Object.entries(document.components.schemas))
    for (const example of (schema['examples'] as unknown[] | undefined) ?? []) check(name, name, example);
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const { schema, example } = post.requestBody?.content?.['application/json'] ?? {};
    check(type, schema?.$ref?.split('/').at(-1) ?? '', example);
    deepStrictEqual((example as { type: string }).type, type);
  }
  deepStrictEqual(wrong, []);
  ok(seen > 10);
});

test('every body and every parameter of a call has an example, and it is what the call takes', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'document', components: document.components });
  const wrong: string[] = [];
  const check = (at: string, schema: Schema | undefined, example: unknown): void => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    if (example === undefined) wrong.push(`${at}: none`);
    else if (!ajv.validate(JSON.parse(text) as object, example)) wrong.push(`${at}: ${ajv.errorsText()}`);
  };
  for (const [path, methods] of Object.entries(document.paths))
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      for (const { name, schema, example } of parameters) check(`${method} ${path} ?${name}`, schema, example);
      for (const { schema, example, examples } of Object.values(requestBody?.content ?? {}))
        for (const one of examples ? Object.values(examples).map(({ value }) => value) : [example])
          check(`${method} ${path}`, schema, one);
    }
  deepStrictEqual(wrong, []);
});

test("the page of the reference has the hub's mark, and no logo of another project", async () => {
  const [page, script, icon] = await Promise.all(
    ['/docs/', '/docs/static/swagger-initializer.js', '/docs/static/theme/beckon.svg'].map((url) =>
      app.http.inject(url),
    ),
  );
  deepStrictEqual(page?.body.match(/<link rel="icon"[^>]*>/g), [
    '<link rel="icon" type="image/svg+xml" href="./static/theme/beckon.svg" sizes="any" />',
  ]);
  // The layout without a frame at its top, which would hold a logo.
  ok(script?.body.includes('"layout":"BaseLayout"'));
  deepStrictEqual([icon?.statusCode, icon?.headers['content-type']], [200, 'image/svg+xml']);
});

test('the page of problems has every code that the code names, at the status it comes with, and no other', async () => {
  const page = (await app.http.inject('/docs/problems')).body;
  const listed = Object.values(PROBLEMS).flatMap((codes) => Object.keys(codes));
  deepStrictEqual(
    listed.filter((code) => !page.includes(`<dt id="${code}">`)),
    [],
  );
  const root = join(import.meta.dirname, '../../..');
  const files = (
    await Promise.all(
      ['server', 'shared'].map((folder) => readdir(join(root, folder), { recursive: true, withFileTypes: true })),
    )
  )
    .flat()
    .filter(
      (file) =>
        file.isFile() && /(?<!\.test|\.contract|reference\/problems)\.ts$/.test(join(file.parentPath, file.name)),
    );
  const text = (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join('\n');
  const thrown = [...text.matchAll(/AppError\(\s*(\d{3}),\s*'([\w.]+)'/g)].map(
    ([, status, code]) => `${status} ${code}`,
  );
  const known = Object.entries(PROBLEMS).flatMap(([status, codes]) =>
    Object.keys(codes).map((code) => `${status} ${code}`),
  );
  deepStrictEqual(
    thrown.filter((one) => !known.includes(one)),
    [],
  );
  const composed = /^(credential|enrolment)\.(unknown|revoked|expired|used|refused)$/;
  deepStrictEqual(
    listed.filter((code) => !composed.test(code) && !text.includes(`'${code}'`)),
    [],
  );
});
