import { readAsk, OPTIONS } from './asking/options.ts';
import { outcomeExit, printed } from './asking/printed.ts';
import { command } from './command/command.ts';
import { hubClient, waitForResolution } from './command/hub-client.ts';
import { findHub } from './command/hub-data.ts';
import { EXIT, onStopSignal, print } from './command/terminal.ts';

const POLL_SECONDS = 60;

/** `ask PROMPT`: asks people, waits, and prints the answer alone. */
export const ask = command({
  name: 'ask',
  does: 'ask, wait, print the answer alone',
  args: ['PROMPT'],
  options: OPTIONS,
  json: true,
  says: {
    deadline: '--wait',
    latest: '--wait',
    'actions/0/name': '--approve',
    'actions/0/args': '--args',
    prompt: 'PROMPT',
    questions: 'The questions',
  },
  more: `What it prints: the text or the option chosen; of a form its values as JSON; of a call what became of it in words,
with --editable its arguments as JSON, as sent or as they were changed. All else is said on standard error.

A PROMPT of - is read from standard input. Without --editable 0 means approved exactly as sent. Ctrl-C takes the question back (130), unless it has a --key.`,
  exits: {
    0: 'answered or approved; with --no-wait: asked',
    3: 'declined or rejected',
    4: 'expired: nobody answered in time',
    5: 'withdrawn',
  },
  examples: [
    'beckon ask "Which name?"',
    'beckon ask "Ship it?" --options Ship,Wait --wait 900',
    `beckon ask "Refund Anna?" --approve refund --args '{"euros": 340}' && ./refund.sh`,
    `beckon ask "Send it?" --approve send_mail --args "$(cat mail.json)" --editable | ./send.sh`,
    'beckon ask - --options Ship,Wait < notes.md',
    'id=$(beckon ask "Ship it?" --no-wait)',
    'beckon ask "About the release" --form questions.json --key release-41',
  ],
  async run(given, terminal) {
    const asked = readAsk(given);
    const { url, key } = await findHub(terminal);
    const hub = hubClient(url, key);
    const interrupted = new AbortController();
    const unheard = onStopSignal(() => interrupted.abort());
    try {
      const { id } = await hub.ask(asked);
      if (given.values['no-wait']) {
        print(terminal, given.json, { id }, id);
        return EXIT.ok;
      }
      const resolution = await waitForResolution(hub, id, { seconds: POLL_SECONDS, signal: interrupted.signal });
      if (resolution === undefined) {
        // Under a key of its own the same line goes on with the same question.
        if (given.values.key === undefined) await hub.withdraw(id, 'The asker stopped waiting.');
        return EXIT.interrupted;
      }
      const code = outcomeExit(resolution);
      if (given.json) terminal.out.write(`${JSON.stringify({ id, ...resolution })}\n`);
      else if (code === EXIT.ok) terminal.out.write(`${printed(asked, resolution, given.values.form !== undefined)}\n`);
      else terminal.err.write(`${resolution.text}\n`);
      return code;
    } finally {
      unheard();
    }
  },
});
