import '../push/notifications.css';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Device } from '#shared/wire.ts';
import type { EnrolmentLink } from '#shared/schemas/enrolments.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { admitted, claims } from '../live/enrolments.ts';
import { me } from '../live/session.ts';
import { connection } from '../live/store.ts';
import { notifications } from '../push/notifications.ts';
import { SettingsPlaces } from '../settings/SettingsPlaces.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { say } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
import { DeviceRow } from './DeviceRow.tsx';
import { makeLink, refuseEnrolment } from './enrol.ts';
import { nameDevices } from './names.ts';
import { Needs } from './Needs.tsx';
import { opensElsewhere } from './opens-elsewhere.ts';
import { Passage } from './Passage.tsx';
import { words } from './words.ts';

const REFRESH_MS = 5000;

/** The devices that answer for this person, and the way in for another one. */
export function Devices() {
  const t = say(words);
  const [devices, setDevices] = useState<Device[] | undefined>();
  const [link, setLink] = useState<EnrolmentLink | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const read = async () => {
    const reply = await call<{ items: Device[] }>('GET', '/v1/devices');
    setProblem(reply.problem);
    if (reply.ok) setDevices(reply.ok.items.toSorted((a, b) => Number(b.current) - Number(a.current)));
  };
  useEffect(() => {
    void read();
    // Whether a device is open is told by no event.
    const timer = setInterval(() => document.visibilityState === 'visible' && void read(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [connection.value, admitted.value]);
  // All of it at once: what stood there before the sentence is known would be pushed down by it.
  const known = devices !== undefined || problem !== undefined;
  // Once somebody has opened the link it is spent; what follows stands on the card.
  const opened = claims.value.some(({ enrolmentId }) => enrolmentId === link?.enrolmentId);
  useEffect(() => {
    if (opened) setLink(undefined);
  }, [opened]);
  const invite = async () => {
    const reply = await makeLink();
    setProblem(reply.problem);
    if (reply.ok) setLink(reply.ok);
  };
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[devices ? t.stand(devices.filter(isNotified).length, devices.length) : t.reading]}>
          {known && (
            <>
              <SettingsPlaces here="/devices" />
              <p class="lede">{t.lede}</p>
              <div class="bar-do card-do">
                <Button onPress={() => void invite()}>{t.add}</Button>
              </div>
            </>
          )}
        </Head>
      </aside>
      <main class="page" id="open">
        {problem && (
          <section class="panel">
            <RefusedHere problem={problem} />
          </section>
        )}
        {link && (
          <LinkPanel
            link={link}
            onAnother={() => void invite()}
            onTakeBack={() => void refuseEnrolment(link.enrolmentId).then(() => setLink(undefined))}
          />
        )}
        {known && (
          <DevicesPanel
            devices={devices ?? []}
            needs={!link && notifications.value === 'insecure'}
            onChanged={() => void read()}
          />
        )}
      </main>
    </>
  );
}

function DevicesPanel({ devices, needs, onChanged }: { devices: Device[]; needs: boolean; onChanged: () => void }) {
  const t = say(words);
  const names = nameDevices(devices);
  return (
    <section class="panel">
      <h2 class="sr">{t.title}</h2>
      <ul class="rows">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} name={names[device.id] ?? ''} onChanged={onChanged} />
        ))}
      </ul>
      {needs && <Needs />}
    </section>
  );
}

const isNotified = ({ subscription }: Device) => subscription !== undefined && subscription.trouble === undefined;

function LinkPanel({
  link,
  onAnother,
  onTakeBack,
}: {
  link: EnrolmentLink;
  onAnother: () => void;
  onTakeBack: () => void;
}) {
  const t = say(words);
  return (
    <section class="panel" aria-label={t.add}>
      <h2>{t.linkTitle}</h2>
      <Passage link={link.link} expiresAt={link.expiresAt} onAnother={onAnother} onTakeBack={onTakeBack} />
      <p class="say">{t.byHandle(me.value?.person.handle ?? 'owner')}</p>
      {opensElsewhere(new URL(link.link).origin) !== 'ok' && <Needs onReady={onAnother} />}
    </section>
  );
}
