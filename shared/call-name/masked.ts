import { isSecretName, MASK, withoutSecrets } from './secret.ts';
import { scalar, toolOf } from './tool.ts';

/** A call's arguments as text without secrets; `text` is how they were written. */
export function maskedArgs(tool: string, args: unknown, text: string): string {
  const clear = JSON.stringify(masked(args, isSecretTool(tool)));
  return withoutSecrets(clear === JSON.stringify(args) ? text : clear);
}

/** True where a tool's own name says that what it gets is a secret, as `set_password` does. */
export function isSecretTool(tool: string): boolean {
  return isSecretName(toolOf(tool).own.join('_'));
}

/** True where one member's value says that another holds a secret: `{"key":"DB_PASSWORD","value":…}`. */
export function namesSecret(args: object): boolean {
  const names = Object.values(args).filter((value) => typeof value === 'string' && /^[\w.-]{1,60}$/.test(value));
  return Object.keys(args).some(isValue) && names.some((name) => isSecretName(name as string));
}

function isValue(member: string): boolean {
  return /^(?:new_?)?value$/i.test(member);
}

function masked(value: unknown, all: boolean): unknown {
  if (value === null || value === undefined) return value;
  if (scalar(value) !== undefined) return all ? MASK : value;
  if (Array.isArray(value)) return value.map((one) => masked(one, all));
  const named = namesSecret(value);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      isSecretName(name) || (named && isValue(name)) ? MASK : masked(one, all),
    ]),
  );
}
