import { parentPort, workerData } from 'node:worker_threads';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Fault } from '#shared/problem.ts';
import type { Check } from './check.ts';

const MAX_FAULTS = 20;
const LONGEST_TEXT = 500;
/** A held call has its tool's schema read several times: so many of those used last are kept, none longer than this. */
const MOST_SCHEMAS = 100;
const MOST_CHARACTERS = 16_384;

type Schema = Record<string, unknown>;

const metaSchema = new Ajv2020({ strict: false, logger: false });
const validators = new Map<string, ValidateFunction>();

function findFaults({ schema, value }: Check): Fault[] {
  try {
    const validate = findValidator(schema);
    if (value === undefined || validate(JSON.parse(value))) return [];
    return (validate.errors ?? []).slice(0, MAX_FAULTS).map(({ instancePath, keyword, message, params }) => ({
      path: keyword === 'required' ? `${instancePath}/${String(params['missingProperty'])}` : instancePath,
      code: `schema.${keyword}`,
      message: keyword === 'required' ? 'is missing' : (message ?? 'does not fit the schema'),
      ...(JSON.stringify(params).length > LONGEST_TEXT ? {} : { params: params as Record<string, unknown> }),
    }));
  } catch (error) {
    const reason = (error as Error).message.slice(0, LONGEST_TEXT);
    const message =
      value === undefined ? `is not a usable JSON Schema: ${reason}` : 'cannot be checked: the schema is not usable';
    return [{ path: '', code: 'schema.unusable', message }];
  }
}

// Kept by the whole text: what one source calls its schema is never another's.
function findValidator(text: string): ValidateFunction {
  const validate = validators.get(text) ?? compile(JSON.parse(text) as Schema);
  validators.delete(text);
  if (text.length <= MOST_CHARACTERS) validators.set(text, validate);
  const [oldest] = validators.keys();
  if (validators.size > MOST_SCHEMAS && oldest !== undefined) validators.delete(oldest);
  return validate;
}

function compile(schema: Schema): ValidateFunction {
  void metaSchema.validateSchema(schema, true);
  // One instance for each schema: an `$id` of one source must not be visible to another's.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    validateSchema: false,
    validateFormats: true,
    // A form may have a field called "constructor".
    ownProperties: true,
    logger: false,
  });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

compile({ type: 'object', properties: { any: { type: 'string' } } });
const progress = workerData as Float64Array;
parentPort?.on('message', (checks: Check[]) => {
  const { user, system } = process.threadCpuUsage();
  progress[1] = (user + system) / 1000;
  const faults = checks.map((check, at) => {
    progress[0] = at;
    return findFaults(check);
  });
  parentPort?.postMessage(faults);
});
parentPort?.postMessage('ready');
