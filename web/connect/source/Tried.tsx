import { useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { whenIs } from '../../app/clock.ts';
import { Refused } from '../../app/form/Wrong.tsx';
import { call } from '../../live/api.ts';
import { say } from '../../ui/language.ts';
import { deliveryWords } from './deliveryWords.ts';

/** The last attempts of one delivery and the bytes that it sends, read when it is opened. */
export function Tried({ delivery: { id, attempts } }: { delivery: WebhookDelivery }) {
  const t = say(deliveryWords);
  const [body, setBody] = useState<string | null | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const read = async () => {
    const reply = await call<WebhookDelivery>('GET', `/v1/deliveries/${id}`);
    setProblem(reply.problem);
    if (reply.ok) setBody(reply.ok.body ?? null);
  };
  return (
    <details class="tried" onToggle={(event) => event.currentTarget.open && body === undefined && void read()}>
      <summary class="quiet">
        <span class="link">{t.tries}</span>
      </summary>
      <ul>
        {attempts
          .slice(-8)
          .toReversed()
          .map(({ at, status, error, ms }) => (
            <li key={at}>
              <time dateTime={at}>{whenIs(at)}</time> {status ?? (error && visible(t.errors[error] ?? error))}
              {t.comma}
              {ms} ms
            </li>
          ))}
      </ul>
      <Refused problem={problem} />
      {body === null && <p>{t.noBody}</p>}
      {typeof body === 'string' && (
        <pre tabIndex={0} dir="ltr">
          <code>{visible(indented(body))}</code>
        </pre>
      )}
    </details>
  );
}

function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
