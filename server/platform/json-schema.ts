import { createContext, Script } from 'node:vm';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { plain } from '#shared/json.ts';
import type { Fault } from '#shared/problem.ts';

// A schema comes from outside: its patterns may backtrack for ever, so everything runs against a watch.
const LIMIT_MS = 250;
const MAX_FAULTS = 20;
/** A held call has its tool's schema read several times: so many of those used last are kept, none longer than this. */
const KEPT_SCHEMAS = 100;
const KEPT_CHARACTERS = 16_384;
const sandbox = createContext(Object.create(null));
const script = new Script('run()');

/** Why a JSON Schema (2020-12) cannot be used, or undefined. References to elsewhere are not followed. */
export function schemaProblem(schema: Record<string, unknown>): string | undefined {
  try {
    validatorOf(schema);
    return undefined;
  } catch (error) {
    return timedOut(error) ? `takes longer than ${LIMIT_MS} ms to read` : (error as Error).message;
  }
}

/** Every fault of a value against a schema (at most 20), with JSON Pointers into the value. */
export function schemaFaults(schema: Record<string, unknown>, value: unknown): Fault[] {
  try {
    const validate = validatorOf(schema);
    return watched(() => {
      if (validate(plain(value))) return [];
      return (validate.errors ?? []).slice(0, MAX_FAULTS).map(({ instancePath, keyword, message, params }) => ({
        path: keyword === 'required' ? `${instancePath}/${String(params['missingProperty'])}` : instancePath,
        code: `schema.${keyword}`,
        message: keyword === 'required' ? 'is missing' : (message ?? 'does not fit the schema'),
        params: params as Record<string, unknown>,
      }));
    });
  } catch (error) {
    if (timedOut(error))
      return [
        { path: '', code: 'schema.too_slow', message: `took longer than ${LIMIT_MS} ms to check against the schema` },
      ];
    return [{ path: '', code: 'schema.unusable', message: 'cannot be checked: the schema is not usable' }];
  }
}

const kept = new Map<string, ValidateFunction>();

// Kept by the whole text: what one source calls its schema is never another's.
function validatorOf(schema: Record<string, unknown>): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = kept.get(text) ?? watched(() => compile(schema));
  kept.delete(text);
  if (text.length <= KEPT_CHARACTERS) kept.set(text, validate);
  const [oldest] = kept.keys();
  if (kept.size > KEPT_SCHEMAS && oldest !== undefined) kept.delete(oldest);
  return validate;
}

function compile(schema: Record<string, unknown>): ValidateFunction {
  const own = plain(schema);
  void judge?.validateSchema(own, true);
  // One instance for each schema: an `$id` of one source must not be visible to another's.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateSchema: false,
    validateFormats: true,
    // A form may have a field called "constructor".
    ownProperties: true,
    addUsedSchema: false,
    logger: false,
  });
  addFormats.default(ajv);
  return ajv.compile(own);
}

// Whether it is a schema at all is asked of one instance: to compile the schema of schemas takes 20 ms and more. That
// is done once, outside the watch, or on a busy machine the first good schema would be refused as too slow.
let judge: Ajv2020 | undefined;

function prepare(): void {
  if (judge) return;
  judge = new Ajv2020({ strict: false, logger: false });
  compile({ type: 'object', properties: { any: { type: 'string' } } });
}

function watched<T>(run: () => T): T {
  prepare();
  let result: { value: T } | undefined;
  (sandbox as { run?: () => void }).run = () => {
    result = { value: run() };
  };
  try {
    script.runInContext(sandbox, { timeout: LIMIT_MS });
  } catch (error) {
    if (!timedOut(error)) throw error;
    // The watch is a clock: on a busy machine a good schema may have spent its time waiting for its turn.
    script.runInContext(sandbox, { timeout: LIMIT_MS });
  }
  return (result as { value: T }).value;
}

function timedOut(error: unknown): boolean {
  return (error as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
