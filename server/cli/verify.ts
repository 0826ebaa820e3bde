import type { JWK } from 'jose';
import { checkReceipt, placesOf } from '../receipts/receipts.ts';
import { readFileOrInput, readJson } from './asking/options.ts';
import { command } from './command/command.ts';
import { Unreachable } from './command/hub-client.ts';
import { hubUrl } from './command/hub-data.ts';
import { EXIT, print, UsageError } from './command/terminal.ts';

/** `verify RECEIPT`: whether a receipt lets exactly this call run now. */
export const verify = command({
  name: 'verify',
  does: 'say whether a receipt lets a call run now',
  args: ['RECEIPT'],
  options: {
    tool: { type: 'string', value: 'NAME', means: 'the tool that is to run' },
    args: { type: 'string', value: 'FILE', means: 'its exact arguments, as JSON; - reads standard input' },
    keys: {
      type: 'string',
      value: 'FILE',
      means: 'the key set of the hub, /.well-known/jwks.json, kept since; by default that of BECKON_URL',
    },
    issuer: {
      type: 'string',
      value: 'URL',
      means: 'the PUBLIC_URL that it has to be of; by default whosever keys these are',
    },
    audience: { type: 'string', value: 'URL', means: 'for whom it has to be; by default for nobody in particular' },
  },
  json: true,
  more: `With --keys it needs no hub and no network. It does not know what ran already: that a call runs once, the tool remembers, or
asks the hub (POST /v1/receipts/consume).`,
  exits: { 0: 'the call may run; prints who decided', 3: 'it may not' },
  examples: [
    'beckon verify "$RECEIPT" --tool refund --args args.json --keys jwks.json',
    `echo '{"cents": 1200}' | beckon verify "$RECEIPT" --tool refund --args -`,
  ],
  async run({ values, args: [receipt = ''], json }, terminal) {
    if (values.tool === undefined || values.args === undefined)
      throw new UsageError('Say which call is to run: --tool NAME --args FILE.');
    const args = readJson(readFileOrInput(values.args, '--args'), '--args');
    const keys = values.keys === undefined ? await fetchKeys(hubUrl(terminal)) : readFileOrInput(values.keys, '--keys');
    const { issuer, audience } = values;
    const claims = await checkReceipt(receipt, { keys: readKeys(keys), issuer, audience, now: Date.now() });
    // What is meant for somebody is for them alone.
    const lets = claims !== undefined && claims.aud === audience && placesOf(claims, values.tool, args).length > 0;
    if (!lets) {
      terminal.err.write('This receipt does not let this call run now.\n');
      return EXIT.no;
    }
    print(terminal, json, claims, claims.sub);
    return EXIT.ok;
  },
});

async function fetchKeys(hub: string): Promise<string> {
  const reply = await fetch(`${hub}/.well-known/jwks.json`).catch(() => undefined);
  if (reply?.ok) return reply.text();
  throw new Unreachable(`No key set was read from ${hub}; set BECKON_URL, or keep the set in a file for --keys.`);
}

/** The keys of a JWK set, as a file or a hub gives it. */
export function readKeys(text: string): JWK[] {
  try {
    const { keys } = JSON.parse(text) as { keys?: unknown };
    if (Array.isArray(keys)) return keys as JWK[];
  } catch {
    // Said below.
  }
  throw new UsageError('The keys have to be a JWK set: {"keys": […]}.');
}
