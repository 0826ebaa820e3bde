import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { AddressCheck, EnrolmentLink } from '#shared/schemas/enrolments.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { Passage } from '../devices/Passage.tsx';
import { words as deviceWords } from '../devices/words.ts';
import { call } from '../live/api.ts';
import { makeLink } from '../devices/enrol.ts';
import { claims } from '../live/enrolments.ts';
import { me } from '../live/session.ts';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { Quiet } from '../ui/Button.tsx';
import { NeedsAddress } from './NeedsAddress.tsx';
import { opensElsewhere } from './steps.ts';
import { stepWords } from './words.ts';
import { Space } from '../ui/sentence/Space.tsx';

/** The way in for a phone: first an address that it can open, then a code to scan, then a number to pick. */
export function SecondDevice() {
  const t = stepWords();
  const d = say(deviceWords);
  const [own, setOwn] = useState<AddressCheck | undefined>();
  const [check, setCheck] = useState<AddressCheck | undefined>();
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
  const look = async (address?: string) => {
    const reply = await call<AddressCheck>('POST', '/v1/address/check', address === undefined ? {} : { address });
    setProblem(reply.problem);
    if (!reply.ok) return;
    if (address === undefined) setOwn(reply.ok);
    setCheck(reply.ok);
    if (reply.ok.verdict === 'ok') await draw();
  };
  useEffect(() => {
    void (opensElsewhere(location.origin) === 'ok' ? draw() : look());
  }, []);
  useEffect(() => {
    if (opened) setSpent(true);
  }, [opened]);
  if (!link)
    return (
      <>
        {own && check && check.verdict !== 'ok' && (
          <NeedsAddress {...{ own, check }} onCheck={look} onAnyway={() => void draw()} />
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
