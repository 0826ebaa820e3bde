import './devices.css';
import { useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Device, LeftBehind } from '#shared/wire.ts';
import { whenIs } from '../app/clock.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { Refused } from '../app/form/Wrong.tsx';
import { useFirstField } from '../app/form/Form.tsx';
import { call } from '../live/api.ts';
import { endSession } from '../live/session.ts';
import { Field } from '../ui/Field.tsx';
import { Icon } from '../ui/Icon.tsx';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { deviceIcon } from '../sign-in/device-name.ts';
import { Removal } from '../settings/Removal.tsx';
import { left } from './left.ts';
import { NotificationState, useOwnNotifications } from './NotificationState.tsx';
import { words } from './words.ts';

/** One device: whether it is open, whether it gets notifications, another name for it, and the way out. */
export function DeviceRow({ device, name, onChanged }: { device: Device; name: string; onChanged: () => void }) {
  const t = say(words);
  const [doing, setDoing] = useState<'rename' | 'remove' | undefined>();
  const own = useOwnNotifications(name);
  return (
    <li>
      <Icon name={deviceIcon(device)} />
      <div>
        <h3>
          <bdi>{name}</bdi>
        </h3>
        {doing === 'rename' ? (
          <Rename
            device={device}
            onDone={() => {
              setDoing(undefined);
              onChanged();
            }}
          />
        ) : (
          <>
            <p>
              {device.current && t.thisOne + t.dot}
              {device.live ? t.openNow : t.seen(whenIs(device.seenAt))}
            </p>
            <p>
              <NotificationState device={device} />
            </p>
            {device.current && own.said && <p role="status">{own.said}</p>}
          </>
        )}
      </div>
      <div class="acts">
        {device.current && own.act}
        <RowAct word={t.rename} about={t.renameOf(name)} onPress={() => setDoing('rename')} />
        <RowAct word={t.remove} about={t.removeOf(name)} onPress={() => setDoing('remove')} />
      </div>
      {doing === 'remove' && (
        <Removal
          title={t.removeTitle(name)}
          explanation={device.current ? t.removeHere : t.removeSay}
          path={`/v1/devices/${device.id}`}
          onClose={() => setDoing(undefined)}
          onRemoved={(made) => {
            if (device.current) return void endSession(false);
            left.value = made as LeftBehind | undefined;
            onChanged();
          }}
        />
      )}
    </li>
  );
}

function Rename({ device, onDone }: { device: Device; onDone: () => void }) {
  const t = say(words);
  const form = useFirstField();
  const [name, setName] = useState(device.name);
  const [problem, setProblem] = useState<Problem | undefined>();
  const save = async () => {
    const given = name.trim();
    if (given === '' || given === device.name) return onDone();
    const reply = await call('PATCH', `/v1/devices/${device.id}`, { name: given });
    setProblem(reply.problem);
    if (!reply.problem) onDone();
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
    >
      <Field label={t.newName} value={name} onWrite={setName} maxLength={80} required />
      <button type="submit" class="quiet">
        <span class="link">{t.save}</span>
      </button>
      <Quiet onPress={onDone}>{t.cancel}</Quiet>
      <Refused problem={problem} />
    </form>
  );
}
