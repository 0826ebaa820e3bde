import { useState } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../../app/form/Wrong.tsx';
import { language, say } from '../../ui/language.ts';
import { Mark } from '../../ui/Mark.tsx';
import { Button } from '../../ui/Button.tsx';
import { Inline } from '../../ui/UntrustedText.tsx';
import { sendTest } from './test-question.ts';
import type { Arrived, Connecting } from './useConnecting.ts';
import { words } from '../words.ts';

/** Waits for the first question of what is connected, says that it has come, and sends a test question with its key. */
export function Listening({ first, tested, made, test }: Pick<Connecting, 'first' | 'tested' | 'made' | 'test'>) {
  const t = say(words);
  return (
    <div class="listening">
      <div role="status">
        {tested && !first && (
          <p class="elsewhere">
            <Mark name="stop" />
            <span>
              <b>{t.tested}</b> <Link to={tested} />
            </span>
          </p>
        )}
        <p class="elsewhere">
          <Mark name={first ? 'stop' : 'dots'} />
          {first ? (
            <span>
              <b>{t.asked}</b> <Link to={first} />
            </span>
          ) : (
            <span>
              <b>{t.listening}</b> {tested ? t.listeningOwn : t.listeningSay}
            </span>
          )}
        </p>
      </div>
      {made && !first && <Test apiKey={made.key} onAsked={test} />}
    </div>
  );
}

function Link({ to }: { to: Arrived }) {
  return (
    <a class="link" href={`/i/${to.id}`}>
      <Inline text={to.title} />
    </a>
  );
}

function Test({ apiKey, onAsked }: { apiKey: string; onAsked: (asked: Inquiry) => void }) {
  const t = say(words);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [busy, setBusy] = useState(false);
  const send = async () => {
    if (busy) return;
    setBusy(true);
    const reply = await sendTest(apiKey, language.value, t.test);
    if (reply.ok) onAsked(reply.ok);
    setBusy(false);
    setProblem(reply.problem);
  };
  return (
    <>
      <div class="bar-do">
        <Button look="line" waits={busy} onPress={() => void send()}>
          {t.sendTest}
        </Button>
      </div>
      <Refused problem={problem} />
    </>
  );
}
