import { useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { changeMe, me } from '../live/session.ts';
import { SettingChoice, SettingRows } from '../ui/SettingRows.tsx';
import { quietWords } from './words.ts';

const WAYS = ['never', 'once', 'repeat'] as const;

/** Whether what was not answered rings again; saved at once, for all devices. */
export function Reminders() {
  const t = quietWords();
  const [problem, setProblem] = useState<Problem | undefined>();
  return (
    <SettingRows title={t.unanswered} below={<Refused problem={problem} />}>
      <SettingChoice
        name={t.ringAgain}
        hint={t.untilDue}
        value={me.value?.preferences.reminders ?? 'never'}
        options={WAYS.map((way) => [way, t.again[way]] as const)}
        onPick={(reminders) => void changeMe({ preferences: { reminders } }).then(setProblem)}
      />
    </SettingRows>
  );
}
