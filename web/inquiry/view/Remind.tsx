import { useState } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import { Refused } from '../../app/form/Wrong.tsx';
import { askerName, readLater } from '../../live/inquiries.ts';
import { call } from '../../live/api.ts';
import { Button } from '../../ui/Button.tsx';
import { now, serverNow } from '../../ui/clock.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { language } from '../../ui/language.ts';
import { go } from '../../ui/place.ts';
import { clockTime, moment } from '../../ui/times.ts';
import { toLocal } from '../reply/form/values.ts';
import { offered, lastReminder } from './reminding.ts';
import { remindWords } from './remindWords.ts';

const MINUTE = 60_000;

/** The way to set an inquiry apart until later, or to have it back; nothing where its deadline is too near. */
export function RemindItem({ inquiry, onPress }: { inquiry: Inquiry; onPress: () => void }) {
  const words = remindWords();
  const apart = readLater(inquiry.id);
  if (apart === undefined && lastReminder(inquiry) <= now.value) return null;
  return (
    <li>
      <button type="button" onClick={onPress}>
        {words.item}
        {apart !== undefined && <small>{words.until(moment(Date.parse(apart), now.value, language.value))}</small>}
      </button>
    </li>
  );
}

/** When it is to come back; what is later than a quarter of an hour before its deadline cannot be chosen. */
export function RemindDialog({ inquiry, onClose }: { inquiry: Inquiry; onClose: () => void }) {
  const words = remindWords();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [other, setOther] = useState<string | undefined>();
  const last = lastReminder(inquiry);
  const chosen = Date.parse(other ?? '');
  const fits = chosen > now.value && chosen <= last;
  const choose = async (at: number | null) => {
    const body = { at: at === null ? null : new Date(at).toISOString() };
    const reply = await call('POST', `/v1/inquiries/${inquiry.id}/later`, body);
    setProblem(reply.problem);
    if (reply.problem) return;
    onClose();
    if (at !== null) go('/');
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <Times
        inquiry={inquiry}
        onChoose={(at) => void choose(at)}
        writes={other !== undefined}
        onWrite={() => setOther(local(Math.min(last, serverNow() + 180 * MINUTE)))}
      />
      {other !== undefined && (
        <label class="field">
          <span>{words.at}</span>
          <input
            type="datetime-local"
            value={other}
            min={local(serverNow() + 2 * MINUTE)}
            max={local(last)}
            onInput={(event) => setOther(event.currentTarget.value)}
          />
        </label>
      )}
      <p class="hint">{words.hint(visible(askerName(inquiry)), when(Date.parse(inquiry.deadlineAt)))}</p>
      <Refused problem={problem} />
      <div class="bar-do">
        <Button look="line" onPress={onClose}>
          {words.cancel}
        </Button>
        {other !== undefined && (
          <Button waits={!fits} onPress={() => fits && void choose(chosen)}>
            {words.title}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

type TimesProps = {
  inquiry: Inquiry;
  onChoose: (at: number | null) => void;
  /** Whether another time is being written. */
  writes: boolean;
  onWrite: () => void;
};

function Times({ inquiry, onChoose, writes, onWrite }: TimesProps) {
  const words = remindWords();
  const deadline = Date.parse(inquiry.deadlineAt);
  const last = lastReminder(inquiry);
  return (
    <ul class="when">
      {offered(now.value).map(([name, at]) => (
        <li key={name}>
          <button
            type="button"
            aria-disabled={at > last}
            class={at > last ? 'is-off' : undefined}
            onClick={() => at <= last && onChoose(at)}
          >
            {words.choices[name]}
            <small>{(at <= last ? String : at > deadline ? words.after : words.near)(clockTime(at))}</small>
          </button>
        </li>
      ))}
      <li>
        <button type="button" aria-expanded={writes} onClick={onWrite}>
          {words.other}
          <small>{words.before(when(last))}</small>
        </button>
      </li>
      {readLater(inquiry.id) !== undefined && (
        <li>
          <button type="button" onClick={() => onChoose(null)}>
            {words.again}
          </button>
        </li>
      )}
    </ul>
  );
}

const when = (at: number) => moment(at, now.value, language.value);
// Whole minutes, or the field shows what is left of one.
const local = (at: number) => toLocal(new Date(Math.floor(at / MINUTE) * MINUTE).toISOString());
