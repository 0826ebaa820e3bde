import { useEffect, useState } from 'preact/hooks';
import type { Passkey } from '#shared/schemas/passkeys.ts';
import type { Problem } from '#shared/problem.ts';
import type { Person } from '#shared/wire.ts';
import { visible } from '#shared/visible.ts';
import { whenIs } from '../app/clock.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { say } from '../ui/language.ts';
import { words as passkeyWords } from '../passkeys/words.ts';
import { words } from './words.ts';

/** The passkeys of somebody else: the owner can have one removed, which their devices are told of and which takes a day. */
export function TheirPasskeys({ person, onClose }: { person: Person; onClose: () => void }) {
  const t = say(words);
  const p = say(passkeyWords);
  const [items, setItems] = useState<Passkey[] | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const read = async () => {
    const reply = await call<{ items: Passkey[] }>('GET', `/v1/people/${person.id}/passkeys`);
    setProblem(reply.problem);
    if (reply.ok) setItems(reply.ok.items);
  };
  useEffect(() => void read(), []);
  const turn = async ({ id, removalAt }: Passkey) => {
    const reply = await call(removalAt === undefined ? 'POST' : 'DELETE', `/v1/passkeys/${id}/removal`);
    if (reply.problem) setProblem(reply.problem);
    else await read();
  };
  return (
    <Dialog title={t.passkeysOf(visible(person.name))} onClose={onClose}>
      <p class="dim">{items?.length === 0 ? t.noPasskeys : t.passkeysSay}</p>
      <Refused problem={problem} />
      <ul>
        {items?.map((passkey) => (
          <li key={passkey.id}>
            <button type="button" onClick={() => void turn(passkey)}>
              {(passkey.removalAt === undefined ? p.removeOf : t.keepOf)(visible(passkey.name))}
              <small>
                {passkey.removalAt === undefined
                  ? [
                      p.added(whenIs(passkey.createdAt)),
                      passkey.usedAt === undefined ? p.unused : p.used(whenIs(passkey.usedAt)),
                    ].join(' · ')
                  : t.removedWhen(whenIs(passkey.removalAt))}
              </small>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
