import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { EnrolmentLink } from '#shared/schemas/enrolments.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { makeLink } from '../devices/enrol.ts';
import { Needs } from '../devices/Needs.tsx';
import { opensElsewhere } from '../devices/opens-elsewhere.ts';
import { Passage } from '../devices/Passage.tsx';
import { words as deviceWords } from '../devices/words.ts';
import { claims } from '../live/enrolments.ts';
import { me } from '../live/session.ts';
import { Quiet } from '../ui/Button.tsx';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { Space } from '../ui/sentence/Space.tsx';
import { stepWords } from './words.ts';

/** The way in for a phone: first an address that it can open, then a code to scan, then a number to pick. */
export function SecondDevice() {
  const t = stepWords();
  const d = say(deviceWords);
  const [link, setLink] = useState<EnrolmentLink | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const opened = claims.value.some(({ enrolmentId }) => enrolmentId === link?.enrolmentId);
  const [spent, setSpent] = useState(false);
  const draw = async () => {
    setSpent(false);
    const reply = await makeLink();
    setProblem(reply.problem);
    if (reply.ok) setLink(reply.ok);
  };
  const ready = opensElsewhere(location.origin) === 'ok';
  useEffect(() => {
    if (ready) void draw();
  }, []);
  useEffect(() => {
    if (opened) setSpent(true);
  }, [opened]);
  if (!link)
    return (
      <>
        {!ready && (
          <>
            <p>{t.codeThen}</p>
            <Needs onReady={() => void draw()} onAnyway={() => void draw()} />
          </>
        )}
        <Refused problem={problem} />
      </>
    );
  return (
    <>
      {spent ? (
        !opened && <Quiet onPress={() => void draw()}>{d.another}</Quiet>
      ) : (
        <Passage link={link.link} expiresAt={link.expiresAt} onAnother={() => void draw()} />
      )}
      <Refused problem={problem} />
      <p class="elsewhere" role="status">
        <Mark name="dots" />
        <span>
          <b>{t.waitingPhone}</b>
          <Space />
          {t.waitingPhoneSay}
        </span>
      </p>
      <p class="hint">{d.byHandle(me.value?.person.handle ?? 'owner')}</p>
    </>
  );
}
