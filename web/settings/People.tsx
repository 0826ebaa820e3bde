import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { NewPersonReply, Person } from '#shared/wire.ts';
import { visible } from '#shared/visible.ts';
import { Refused, RefusedHere } from '../app/form/Wrong.tsx';
import { Passage } from '../devices/Passage.tsx';
import { SubmitBar, useFirstField } from '../app/form/Form.tsx';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { SettingRow, SettingRows } from '../ui/SettingRows.tsx';
import { Removal } from './Removal.tsx';
import { TheirPasskeys } from './TheirPasskeys.tsx';
import { words } from './words.ts';

type Opened =
  | { what: 'invite' }
  | { what: 'person' | 'removal' | 'passkeys'; person: Person }
  | { what: 'pass'; person: Person; link: string; expiresAt: string };

/** The owner's list of people: a link for each who comes, and the way out. */
export function People() {
  const t = say(words);
  const [people, setPeople] = useState<Person[]>([]);
  const [opened, open] = useState<Opened | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const read = async () => {
    const reply = await call<{ items: Person[] }>('GET', '/v1/people');
    setProblem(reply.problem);
    if (reply.ok) setPeople(reply.ok.items);
  };
  useEffect(() => void read(), []);
  return (
    <SettingRows
      title={t.people}
      act={<Quiet onPress={() => open({ what: 'invite' })}>{t.invite}</Quiet>}
      below={
        <>
          <RefusedHere problem={problem} />
          {opened && <PersonDialog key={opened.what} opened={opened} onOpen={open} onChanged={() => void read()} />}
        </>
      }
    >
      {people.map((person) => (
        <SettingRow
          key={person.id}
          name={visible(person.name)}
          hint={person.handle}
          value={person.owner ? t.owner : undefined}
          opens={() => open({ what: 'person', person })}
        />
      ))}
    </SettingRows>
  );
}

type PersonDialogProps = {
  opened: Opened;
  onOpen: (next: Opened | undefined) => void;
  onChanged: () => void;
};

function PersonDialog({ opened, onOpen, onChanged }: PersonDialogProps) {
  const t = say(words);
  const [problem, setProblem] = useState<Problem | undefined>();
  const close = () => onOpen(undefined);
  const link = async (person: Person) => {
    const reply = await call<{ link: string; expiresAt: string }>('POST', `/v1/people/${person.id}/link`, {});
    setProblem(reply.problem);
    if (reply.ok) onOpen({ what: 'pass', person, ...reply.ok });
  };
  if (opened.what === 'invite')
    return (
      <Dialog title={t.invite} onClose={close}>
        <Invite
          onMade={(made) => {
            onOpen({ what: 'pass', ...made });
            onChanged();
          }}
          onCancel={close}
        />
      </Dialog>
    );
  const { person } = opened;
  const name = visible(person.name);
  if (opened.what === 'removal')
    return (
      <Removal
        title={t.removeTitle(name)}
        explanation={t.removePersonSay}
        path={`/v1/people/${person.id}`}
        onClose={close}
        onRemoved={onChanged}
      />
    );
  if (opened.what === 'passkeys') return <TheirPasskeys person={person} onClose={close} />;
  if (opened.what === 'pass')
    return (
      <Dialog title={t.passTitle(name)} onClose={close}>
        <Passage link={opened.link} expiresAt={opened.expiresAt} onAnother={() => void link(person)} />
        <p class="dim">{t.passSay}</p>
      </Dialog>
    );
  return <About {...{ person, problem, onOpen }} onLink={() => void link(person)} />;
}

type AboutProps = {
  person: Person;
  problem: Problem | undefined;
  onOpen: PersonDialogProps['onOpen'];
  onLink: () => void;
};

/** What the owner can do about one person. */
function About({ person, problem, onOpen, onLink }: AboutProps) {
  const t = say(words);
  return (
    <Dialog title={visible(person.name)} onClose={() => onOpen(undefined)}>
      <Refused problem={problem} />
      <ul>
        <li>
          <button type="button" onClick={onLink}>
            {t.newLink}
            <small>{t.newLinkSay}</small>
          </button>
        </li>
        {person.id !== me.value?.person.id && (
          <li>
            <button type="button" onClick={() => onOpen({ what: 'passkeys', person })}>
              {t.passkeys}
              <small>{t.passkeysSay}</small>
            </button>
          </li>
        )}
        {!person.owner && (
          <li>
            <button type="button" onClick={() => onOpen({ what: 'removal', person })}>
              {t.remove}
              <small>{t.removePersonSay}</small>
            </button>
          </li>
        )}
      </ul>
    </Dialog>
  );
}

function Invite({ onMade, onCancel }: { onMade: (made: NewPersonReply) => void; onCancel: () => void }) {
  const t = say(words);
  const form = useFirstField();
  const [handle, setHandle] = useState('');
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<Problem | undefined>();
  const invite = async () => {
    const given = handle.trim().toLowerCase();
    if (given === '') return;
    const reply = await call<NewPersonReply>('POST', '/v1/people', {
      handle: given,
      ...(name.trim() === '' ? {} : { name: name.trim() }),
    });
    setProblem(reply.problem);
    if (reply.ok) onMade(reply.ok);
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void invite();
      }}
    >
      <Field
        label={t.theirHandle}
        value={handle}
        onWrite={setHandle}
        maxLength={39}
        spellcheck={false}
        autocomplete="off"
        required
      />
      <p class="hint">{t.theirHandleSay}</p>
      <Field label={t.theirName} value={name} onWrite={setName} maxLength={80} autocomplete="off" />
      <Refused problem={problem} />
      <SubmitBar cancel={t.cancel} submit={t.inviteDo} onCancel={onCancel} />
    </form>
  );
}
