import { isSecretName, isSecretTool, isValueOf, MASK, namesSecret, withoutSecrets } from './secret.ts';
import { scalar } from './tool.ts';

/** A call's arguments as text without secrets; `text` is how they were written, and how its numbers still are. */
export function maskedArgs(tool: string, args: unknown, text: string): string {
  return withoutSecrets(withoutNamed(tool, args, text));
}

/** The same still as JSON, without what is a secret by its name or its tool; a text may yet hold one. */
export function withoutNamed(tool: string, args: unknown, text: string): string {
  const all = isSecretTool(tool);
  const hides = JSON.stringify(masked(args, all)) !== JSON.stringify(args);
  return hides ? written(masked(exactly(args, text), all)) : text;
}

// No string of a call begins with U+0000, so it marks a number, as it was written.
function exactly(args: unknown, text: string): unknown {
  const mark = (_: string, value: unknown, { source }: { source?: string } = {}): unknown =>
    typeof value === 'number' && source !== undefined ? `\0${source}` : value;
  try {
    return JSON.parse(text, mark as (key: string, value: unknown) => unknown);
  } catch {
    return args;
  }
}

function written(value: unknown): string {
  return JSON.stringify(value).replace(/"\\u0000([^"]*)"/g, '$1');
}

function masked(value: unknown, all: boolean): unknown {
  if (value === null || value === undefined) return value;
  if (scalar(value) !== undefined) return all ? MASK : value;
  if (Array.isArray(value)) {
    const isPair = value.length === 2 && typeof value[0] === 'string' && isSecretName(value[0]);
    return value.map((one, at) => (isPair && at === 1 ? MASK : masked(one, all)));
  }
  const named = namesSecret(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      (isSecretName(name) && typeof one !== 'boolean') || (named && isValueOf(name)) ? MASK : masked(one, all),
    ]),
  );
}
