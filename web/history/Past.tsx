import { useSignal } from '@preact/signals';
import type { By, LateAnswer } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import type { Deliveries, DeviceDelivery } from '#shared/schemas/deliveries.ts';
import { Title } from '../inquiry/view/Title.tsx';
import { askerName } from '../live/inquiries.ts';
import { me } from '../live/session.ts';
import { now } from '../ui/clock.ts';
import { Mark, type MarkName } from '../ui/Mark.tsx';
import { clockTime, moment } from '../ui/times.ts';
import { lazy } from '../app/lazy.tsx';
import { call } from '../live/api.ts';
import { language } from '../ui/language.ts';
import { historyWords } from './words.ts';

const RuleThen = lazy(() => import('../policies/RuleThen.tsx').then(({ RuleThen: ready }) => ready));

const ROW_MAX = 90;

/** One settled inquiry: what was asked, what came of it, who, on what and when; `whole`: and by whom it was seen. */
export function Past({ inquiry, whole }: { inquiry: Inquiry; whole?: boolean }) {
  const { resolution, late = [], lost = [] } = inquiry;
  if (!resolution) return null;
  const own = isOwn(resolution.by);
  const mark: MarkName = { answered: 'stop', declined: 'stop', expired: 'query', withdrawn: 'dash' }[
    resolution.outcome
  ] as MarkName;
  return (
    <li>
      <Mark name={mark} class={own ? 'own' : ''} />
      <div>
        <h3 dir="auto">
          <a href={`/i/${inquiry.id}`}>
            <Title inquiry={inquiry} max={ROW_MAX} />
          </a>
        </h3>
        <p>
          <Outcome inquiry={inquiry} mine={own} />
        </p>
        {inquiry.notPickedUp && (
          <p>{historyWords().notPickedUp(visible(askerName(inquiry)), inquiry.actions !== undefined)}</p>
        )}
        {inquiry.notTaken && <p>{historyWords().notTaken(visible(inquiry.source.name))}</p>}
        {lost
          .filter(({ text, by }) => !late.some((one) => one.text === text && nameOf(one.by) === nameOf(by)))
          .map((one) => (
            <Other key={one.at} other={one} beaten />
          ))}
        {late.map((one) => (
          <Other key={one.at} other={one} />
        ))}
        {whole && (
          <div class="about">
            {inquiry.rule && <RuleThen inquiry={inquiry} />}
            <p dir="auto">{whereFrom(inquiry)}</p>
            <Seen inquiry={inquiry} />
          </div>
        )}
      </div>
      <time dateTime={resolution.at}>{clockTime(Date.parse(resolution.at))}</time>
    </li>
  );
}

function Outcome({
  inquiry: { resolution, source, openedAt, deadlineAt },
  mine: own,
}: {
  inquiry: Inquiry;
  mine: boolean;
}) {
  const words = historyWords();
  if (!resolution) return null;
  const { by, text, message } = resolution;
  const quote = (said: string) => (
    <span class={own ? 'own' : undefined} dir="auto">
      “{visible(said)}”
    </span>
  );
  switch (resolution.outcome) {
    case 'expired':
      return (
        <>
          {by.kind === 'policy' ? words.leftBy(nameOf(by)) : words.expired(Date.parse(deadlineAt), now.value)}
          {resolution.answer && `. ${words.proposal}`}
        </>
      );
    case 'withdrawn':
      return (
        <>
          {words.withdrawn(visible(source.name), Date.parse(resolution.at) - Date.parse(openedAt))}{' '}
          {message && quote(message)}
        </>
      );
    case 'declined':
      return (
        <>
          {message && quote(message)}{' '}
          {by.kind === 'person'
            ? `${words.declined(nameOf(by), visible(by.device.name))}${words.via[by.via]}`
            : decidedBy(by)}
        </>
      );
    case 'answered':
      return (
        <>
          {quote(text)}{' '}
          {by.kind === 'person'
            ? `${words.on(nameOf(by), visible(by.device.name))}${words.via[by.via]}`
            : decidedBy(by)}
        </>
      );
  }
}

/** An answer that did not decide: it came late, or somebody was faster. */
function Other({ other: { by, text }, beaten }: { other: LateAnswer; beaten?: boolean }) {
  const words = historyWords();
  const say = beaten ? words.beaten : words.late;
  return (
    <p>
      <span class={isOwn(by) ? 'own' : undefined} dir="auto">
        “{visible(text)}”
      </span>{' '}
      {by.kind === 'person' ? say(nameOf(by), visible(by.device.name)) : visible(by.label)}
    </p>
  );
}

function whereFrom({ source, context }: Inquiry) {
  const where = context?.cwd ?? context?.agent ?? context?.runId;
  return [source.name, where]
    .filter((part) => part !== undefined)
    .map((one) => visible(one))
    .join(', ');
}

// A person is said with their device.
function decidedBy(by: By): string {
  const words = historyWords();
  return by.kind === 'decider' ? words.decided(nameOf(by)) : words.byRule(nameOf(by));
}

function isOwn(by: By): boolean {
  return by.kind === 'person' && by.handle === me.value?.person.handle;
}

function nameOf(by: By): string {
  if (by.kind === 'policy' && !by.ruleId.startsWith('yol_')) return historyWords().rule(visible(by.label));
  if (by.kind !== 'person') return visible(by.label);
  return isOwn(by) ? historyWords().you : visible(by.handle);
}

/** By whom, where and when an inquiry was seen; read when somebody asks for it. */
function Seen({ inquiry }: { inquiry: Inquiry }) {
  const words = historyWords();
  const devices = useSignal<DeviceDelivery[] | undefined>(undefined);
  const failed = useSignal(false);
  const { told, shown } = inquiry.reach;
  if (told === 0) return <p>{inquiry.quiet ? words.quiet : words.toldNobody}</p>;
  const read = async () => {
    if (devices.value) return;
    const reply = await call<Deliveries>('GET', `/v1/inquiries/${inquiry.id}/deliveries`);
    failed.value = reply.problem !== undefined;
    if (reply.ok) devices.value = reply.ok.items;
  };
  return (
    <details class="seen" onToggle={(event) => event.currentTarget.open && void read()}>
      <summary>
        <span class="link">{words.seenOn(shown)}</span>
      </summary>
      {failed.value && <p role="alert">{words.notFetched}</p>}
      <ul>
        {(devices.value ?? []).map((one) => (
          <li key={one.device.id}>{sayLine(one)}</li>
        ))}
      </ul>
    </details>
  );

  function sayLine({ person, device, toldAt, shownAt, openedAt }: DeviceDelivery): string {
    const who = person === me.value?.person.handle ? words.you : visible(person);
    const at = (instant: string) => moment(Date.parse(instant), now.value, language.value);
    const where = words.on(who, visible(device.name));
    if (openedAt) return words.opened(where, at(openedAt));
    if (shownAt) return words.shown(where, at(shownAt));
    return toldAt ? words.told(where, at(toldAt)) : words.notTold(where);
  }
}
