import { toolOf } from './tool.ts';

/** What stands in a secret's place. */
export const MASK = '••••';

/** No name is made from more than this many characters of one argument: of a longer one, from its two ends. */
const READ_MOST = 10_000;
const HEAD = 5_000;
const TAIL = 4_990;

const SECRET =
  '(?:pass(?:word|wd|phrase|code)|(?<!by|com|tres|sur|over)pass(?![a-z])|pwd|secret(?!ar|ion)|(?<!(?:max|min|new|num|total|input|output|prompt|completion)[_-]?)token(?!s?[_-]?(?:count|limit|budget|usage))|api[_-]?key|(?:access|private|signing|encryption|secret)[_-]?key|credential|auth(?!or(?!iz))|cookie|jwt|bearer|session[_-]?(?:id|key)|card[_-]?number|cvv|otp(?![a-z])|connection[_-]?string)';
const VALUE = '(?!(?:true|false|null)\\b)(?:"(?:[^"\\\\]|\\\\.)*"?|\'[^\']*\'?|[^\\s"\'&;|)]+)';

const SECRET_NAME = new RegExp(SECRET, 'i');

/** Arguments with such names are never shown in a name, whatever they hold. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name) || /^(?:pin|ssn|iban|dsn|pat|pw)$/i.test(name);
}

/** True where a tool's own name says that what it gets is a secret, as `set_password` does. */
export function isSecretTool(tool: string): boolean {
  return isSecretName(toolOf(tool).own.join('_'));
}

/** True where one member's value says that another holds a secret: `{"key":"DB_PASSWORD","value":…}`. */
export function namesSecret(args: object): boolean {
  const names = Object.values(args).filter((value) => typeof value === 'string' && /^[\w.-]{1,60}$/.test(value));
  return Object.keys(args).some(isValueOf) && names.some((name) => isSecretName(name as string));
}

/** True for the name of a member that holds what another member names. */
export function isValueOf(member: string): boolean {
  return /^(?:new_?)?(?:val(?:ue)?s?|data)$/i.test(member);
}

type Rule = [pattern: RegExp, mask: string | ((found: string) => string)];

const RULES: Rule[] = [
  [/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g, MASK],
  [/(:\/\/[^\s/:@'"]{0,200}:)[^\s@'"]{1,300}@/g, `$1${MASK}@`],
  [/(:\/\/)[^\s/:@'"]{12,300}@/g, `$1${MASK}@`],
  [
    /(hooks\.slack\.com\/services\/|discord(?:app)?\.com\/api\/webhooks\/|api\.telegram\.org\/bot)[^\s"']+/gi,
    `$1${MASK}`,
  ],
  [
    /((?:authorization|cookie|x-[\w-]{0,40}(?:key|token|secret|auth))["']?\s{0,9}:\s{0,9})(?:"[^"\r\n]*"?|'[^'\r\n]*'?|[^"'\r\n]+)/gi,
    `$1${MASK}`,
  ],
  [/\b(bearer|basic)\s+[\w.~+/=-]{8,}/gi, `$1 ${MASK}`],
  [new RegExp(`(${SECRET}[\\w.-]{0,40}\\\\?["']?\\s{0,9}[=:]\\s{0,9})${VALUE}`, 'gi'), `$1${MASK}`],
  [new RegExp(`(--?[\\w-]{0,40}${SECRET}[\\w-]{0,40}\\s+)(?!-)${VALUE}`, 'gi'), `$1${MASK}`],
  [/(\s(?:-u|--user)[\s=]*["']?[^\s:'"]{1,100}:)[^\s'"]+/g, `$1${MASK}`],
  [
    /(\bsshpass\s+-p\s{0,9}|\blogin\s[^|;&\n]{0,200}?-p[\s=]{0,9}|\bmysql\w{0,9}\s[^|;&\n]{0,200}?-p)(?=\S)[^\s]+/g,
    `$1${MASK}`,
  ],
  [
    /\b(?:sk|rk)-[\w-]{16,}|\b[spr]k_(?:live|test)_\w{8,}|\bgh[pousr]_\w{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{12,}/g,
    MASK,
  ],
  [/\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\bya29\.[\w-]{8,}/g, MASK],
  [/\beyJ[\w-]{8,}(?:\.[\w-]*){0,4}|\bSG\.[\w-]{8,}\.[\w-]{8,}|\b\d{8,10}:[\w-]{30,}|\bAGE-SECRET-KEY-\w{16,}/g, MASK],
  [/\b(?:npm|hf|dop_v1|shp(?:at|ss|ca|pa)|bk[sdi]|whsec)_[\w+/=-]{8,}|\bpypi-[\w-]{16,}/g, MASK],
  [/(?<![\w+/-])[\w+/-]{32,}={0,2}/g, (found) => (isDense(found) ? MASK : found)],
];

/** A text without anything in it that has the form of a key, a token or a password. */
export function withoutSecrets(text: string): string {
  let clear = endsOf(text).toWellFormed();
  for (const [pattern, mask] of RULES)
    clear = typeof mask === 'string' ? clear.replace(pattern, mask) : clear.replace(pattern, mask);
  return clear;
}

// Where the end begins, a word may be the rest of a secret that the cut went through.
function endsOf(text: string): string {
  if (text.length <= READ_MOST) return text;
  return `${text.slice(0, HEAD).trimEnd()} … ${text.slice(-TAIL).replace(/^\s*\S*\s*/, '')}`.trimEnd();
}

// Letters of both cases and digits without any order, or hexadecimal digits that are no commit's.
function isDense(run: string): boolean {
  if (/^[\da-f]+$/i.test(run)) return run.length !== 40;
  const bare =
    run.split('/').some((part) => part.length >= 32) || (/^[^/.-][\w+/]{39}$/.test(run) && !run.includes('_'));
  return bare && /[a-z]/.test(run) && /[A-Z]/.test(run) && (run.match(/\d/g)?.length ?? 0) >= 3;
}
