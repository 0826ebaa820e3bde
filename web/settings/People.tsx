import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { NewPersonReply, Person } from '#shared/wire.ts';
import { visible } from '#shared/visible.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { Refused, RefusedHere } from '../app/form/Wrong.tsx';
import { Passage } from '../devices/Passage.tsx';
import { SubmitBar, useFirstField } from '../app/form/Form.tsx';
import { call } from '../live/api.ts';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { Removal } from './Removal.tsx';
import { words } from './words.ts';

type Pass = { person: Person; link: string; expiresAt: string };

/** The owner's list of people: a link for each who comes, and the way out. */
export function People() {
  const t = say(words);
  const [people, setPeople] = useState<Person[]>([]);
  const [pass, setPass] = useState<Pass | undefined>();
  const [inviting, setInviting] = useState(false);
  const [removing, setRemoving] = useState<Person | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const read = async () => {
    const reply = await call<{ items: Person[] }>('GET', '/v1/people');
    setProblem(reply.problem);
    if (reply.ok) setPeople(reply.ok.items);
  };
  useEffect(() => void read(), []);
  const link = async (person: Person) => {
    const reply = await call<{ link: string; expiresAt: string }>('POST', `/v1/people/${person.id}/link`, {});
    setProblem(reply.problem);
    if (reply.ok) setPass({ person, ...reply.ok });
  };
  return (
    <section class="panel">
      <h2>{t.people}</h2>
      <p class="say">{t.peopleSay}</p>
      <RefusedHere problem={problem} />
      {pass && <PassFor pass={pass} onAnother={() => void link(pass.person)} />}
      <ul class="rows rows--plain">
        {people.map((person) => (
          <PersonRow
            key={person.id}
            person={person}
            onLink={() => void link(person)}
            onRemove={() => setRemoving(person)}
          />
        ))}
      </ul>
      <div class="fields">
        <Quiet icon="plus" onPress={() => setInviting(true)}>
          {t.invite}
        </Quiet>
      </div>
      {inviting && (
        <Invite
          onMade={(made) => {
            setInviting(false);
            setPass(made);
            void read();
          }}
          onCancel={() => setInviting(false)}
        />
      )}
      {removing && (
        <Removal
          title={t.removeTitle(visible(removing.name))}
          explanation={t.removePersonSay}
          path={`/v1/people/${removing.id}`}
          onClose={() => setRemoving(undefined)}
          onRemoved={() => void read()}
        />
      )}
    </section>
  );
}

function PersonRow({ person, onLink, onRemove }: { person: Person; onLink: () => void; onRemove: () => void }) {
  const t = say(words);
  return (
    <li>
      <div>
        <h3>
          <bdi>{visible(person.name)}</bdi>
          <small>{person.owner ? `${person.handle}${t.comma}${t.owner}` : person.handle}</small>
        </h3>
      </div>
      <div class="acts">
        <RowAct word={t.newLink} about={t.newLinkOf(person.handle)} onPress={onLink} />
        {!person.owner && <RowAct word={t.remove} about={t.removeOf(person.handle)} onPress={onRemove} />}
      </div>
    </li>
  );
}

function PassFor({ pass, onAnother }: { pass: Pass; onAnother: () => void }) {
  const t = say(words);
  return (
    <>
      <div role="status">
        <h3 class="pass">{t.passTitle(visible(pass.person.name))}</h3>
      </div>
      <Passage link={pass.link} expiresAt={pass.expiresAt} onAnother={onAnother} />
      <p class="say">{t.passSay}</p>
    </>
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
      class="fields"
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
