import { useState } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import type { Problem } from '#shared/problem.ts';
import { whenIs } from '../../app/clock.ts';
import { RowAct } from '../../app/form/RowAct.tsx';
import { Refused, RefusedHere } from '../../app/form/Wrong.tsx';
import { say } from '../../ui/language.ts';
import { Quiet } from '../../ui/Button.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { call } from '../../live/api.ts';
import { deliveryWords } from './deliveryWords.ts';
import type { useDeliveries } from './useDeliveries.ts';

type DeliveriesProps = ReturnType<typeof useDeliveries> & { paused: boolean };

/** What was sent of a source's questions, what came of each attempt, and the way to send it once more. */
export function Deliveries({ items, problem, change, read, earlier, paused }: DeliveriesProps) {
  const t = say(deliveryWords);
  return (
    <section class="panel" aria-labelledby="deliveries" aria-busy={!items && !problem ? 'true' : undefined}>
      <h2 class="day" id="deliveries">
        {t.deliveries}
      </h2>
      {items?.length === 0 && <p class="say">{t.none}</p>}
      {items && items.length > 0 && (
        <>
          <table class="tries tries--do">
            <thead>
              <tr>
                <th scope="col">{t.time}</th>
                <th scope="col">{t.question}</th>
                <th scope="col">{t.state}</th>
                <th scope="col">
                  <span class="sr">{t.do}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {items.map((delivery) => (
                <Row key={delivery.id} delivery={delivery} paused={paused} change={change} />
              ))}
            </tbody>
          </table>
          <p class="say say--state">{t.explain}</p>
        </>
      )}
      <RefusedHere problem={problem} />
      <div class="pageacts">
        {problem && <Quiet onPress={read}>{t.again}</Quiet>}
        {earlier && !problem && <Quiet onPress={earlier}>{t.earlier}</Quiet>}
      </div>
    </section>
  );
}

type RowProps = { delivery: WebhookDelivery; paused: boolean } & Pick<DeliveriesProps, 'change'>;

function Row({ delivery, paused, change }: RowProps) {
  const t = say(deliveryWords);
  const { id, title, type, inquiryId, state, createdAt } = delivery;
  const waits = state === 'pending';
  const about = title === undefined ? t.notYours : visible(title);
  return (
    <tr>
      <td>
        <time dateTime={createdAt}>{whenIs(createdAt)}</time>
      </td>
      <td class="q">
        {title === undefined ? (
          t.notYours
        ) : (
          <a class="link" href={`/i/${inquiryId}`}>
            <UntrustedText text={title} />
          </a>
        )}
        <small>
          {t.types[type]} {standing(delivery, paused)}
        </small>
        <Tried delivery={delivery} />
      </td>
      <td>{waits || state === 'failed' ? <b>{t.states[state]}</b> : t.states[state]}</td>
      <td>
        {!(waits && paused) && (
          <RowAct
            word={waits ? t.tryNow : t.replay}
            about={`${waits ? t.tryNow : t.replay}${t.colon}${about}`}
            onPress={() => void change(id, waits ? 'now' : 'replay')}
          />
        )}
      </td>
    </tr>
  );
}

/** Its last attempt, and what follows, as one sentence each. */
function standing({ attempts, attemptCount, state, dueAt, url }: WebhookDelivery, paused: boolean): string {
  const t = say(deliveryWords);
  const last = attempts.at(-1);
  const next = state !== 'pending' ? '' : paused ? t.whenResumed : dueAt === undefined ? '' : t.next(whenIs(dueAt));
  if (!last) return `${attemptCount === 0 ? t.untried : ''}${t.space}${next}`;
  const result = t.result(last.status, last.error && (t.errors[last.error] ?? visible(last.error)), hostOf(url));
  return `${result}${t.comma}${t.attempt(attemptCount)}${t.space}${next}`;
}

const hostOf = (url: string): string => visible(URL.parse(url)?.host ?? url);

/** The last attempts of one delivery and the bytes that it sends, read when it is opened. */
function Tried({ delivery: { id, attempts } }: { delivery: WebhookDelivery }) {
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
