import type { Quiet } from '#shared/policies/quiet.ts';
import { Word } from '../ui/Field.tsx';
import { Quiet as QuietButton } from '../ui/Button.tsx';
import { Tied } from '../ui/sentence/Space.tsx';
import { quietWords } from './words.ts';

type One = Quiet['spans'][number];
type Day = NonNullable<One['days']>[number];
type On = 'every' | 'week' | 'weekend' | 'some';

const DAYS: Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const [WEEK, WEEKEND] = [DAYS.slice(0, 5), DAYS.slice(5)];

type SpanProps = { span: One; place: number; onChange: (make: (span: One) => One) => void; onRemove: () => void };

/** One time of quiet as a sentence, with its days. */
export function Span({ span, place, onChange, onRemove }: SpanProps) {
  const t = quietWords();
  const { from, to, days } = span;
  const [start, until, on, end] = t.sentence;
  const time = (name: 'from' | 'to', label: string) => (
    <input
      type="time"
      class="word"
      aria-label={t.nth(label, place)}
      value={span[name]}
      onChange={({ currentTarget: { value } }) => value && onChange((one) => ({ ...one, [name]: value }))}
    />
  );
  const pick = (choice: On) =>
    onChange(({ days: before, ...every }) => {
      const chosen = { week: WEEK, weekend: WEEKEND, some: before ?? DAYS };
      return choice === 'every' ? every : { ...every, days: chosen[choice] };
    });
  const options = (['every', 'week', 'weekend', 'some'] as const).map((one) => [one, t.on[one]] as const);
  return (
    <div class="quiet-span">
      <p class="sentence">
        {start}
        {time('from', t.from)}
        {until}
        <Tied text={on}>{time('to', t.to)}</Tied>
        <span class="tie">
          <Word label={t.nth(t.days, place)} value={readDays(days)} options={options} onPick={pick} />
          {end}
        </span>
      </p>
      {readDays(days) === 'some' && (
        <fieldset class="quiet-days">
          <legend class="sr">{t.nth(t.on.some, place)}</legend>
          {DAYS.map((day) => (
            <label key={day}>
              <input
                type="checkbox"
                checked={days?.includes(day) ?? false}
                // One day is left at least.
                onChange={({ currentTarget: { checked } }) =>
                  onChange((one) => ({ ...one, days: withDay(one.days ?? [], day, checked) }))
                }
              />{' '}
              {t.day[day]}
            </label>
          ))}
        </fieldset>
      )}
      <p class="say">
        <QuietButton label={t.removeOf(t.span(from, to))} onPress={onRemove}>
          {t.remove}
        </QuietButton>
      </p>
    </div>
  );
}

function readDays(days: readonly Day[] | undefined): On {
  if (!days) return 'every';
  const same = (list: Day[]) => list.length === days.length && list.every((day) => days.includes(day));
  return same(WEEK) ? 'week' : same(WEEKEND) ? 'weekend' : 'some';
}

function withDay(days: Day[], day: Day, checked: boolean): Day[] {
  const others = days.filter((one) => one !== day);
  return checked ? [...others, day] : others.length === 0 ? days : others;
}
