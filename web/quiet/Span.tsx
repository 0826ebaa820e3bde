import type { Quiet } from '#shared/policies/quiet.ts';
import { Quiet as QuietButton } from '../ui/Button.tsx';
import { SettingChoice, SettingTime } from '../ui/SettingRows.tsx';
import { quietWords } from './words.ts';

type One = Quiet['spans'][number];
type Day = NonNullable<One['days']>[number];
type On = 'every' | 'week' | 'weekend' | 'some';

const DAYS: Day[] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const [WEEK, WEEKEND] = [DAYS.slice(0, 5), DAYS.slice(5)];

type SpanProps = {
  span: One;
  place: number;
  onChange: (make: (span: One) => One) => void;
  onRemove: () => void;
};

/** One time of quiet as rows, with its days. */
export function Span({ span, place, onChange, onRemove }: SpanProps) {
  const t = quietWords();
  const { from, to, days } = span;
  const time = (name: 'from' | 'to') => (
    <SettingTime
      name={t[name]}
      label={t.nth(t[name], place)}
      value={span[name]}
      onPick={(value) => onChange((one) => ({ ...one, [name]: value }))}
    />
  );
  const pick = (choice: On) =>
    onChange(({ days: before, ...every }) => {
      const chosen = { week: WEEK, weekend: WEEKEND, some: before ?? DAYS };
      return choice === 'every' ? every : { ...every, days: chosen[choice] };
    });
  const options = (['every', 'week', 'weekend', 'some'] as const).map((one) => [one, t.on[one]] as const);
  return (
    <>
      {place > 0 && (
        <li class="quiet-next">
          <h3>{t.span(from, to)}</h3>
        </li>
      )}
      {time('from')}
      {time('to')}
      <SettingChoice
        name={t.days}
        label={t.nth(t.days, place)}
        value={readDays(days)}
        options={options}
        onPick={pick}
      />
      {readDays(days) === 'some' && (
        <li>
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
        </li>
      )}
      <li class="quiet-remove">
        <p>
          <QuietButton label={t.removeOf(t.span(from, to))} onPress={onRemove}>
            {t.remove}
          </QuietButton>
        </p>
      </li>
    </>
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
