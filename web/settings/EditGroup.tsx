import { useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Group, Person } from '#shared/wire.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { useFirstField } from '../app/form/useFirstField.ts';
import { SubmitBar } from '../app/form/SubmitBar.tsx';
import { call } from '../live/api.ts';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { visible } from '#shared/visible.ts';
import { words } from './words.ts';

/** Makes a group, or changes its name and members. */
export function EditGroup({
  group,
  people,
  onDone,
}: {
  group: Group | undefined;
  people: Person[];
  onDone: () => void;
}) {
  const t = say(words);
  const form = useFirstField();
  const [handle, setHandle] = useState(group?.handle ?? '');
  const [name, setName] = useState(group?.name ?? '');
  const [members, setMembers] = useState<string[]>(group?.members ?? []);
  const [problem, setProblem] = useState<Problem | undefined>();
  const save = async () => {
    const named = name.trim() === '' ? {} : { name: name.trim() };
    const reply = group
      ? await call('PUT', `/v1/groups/${group.id}`, { ...named, members })
      : await call('POST', '/v1/groups', { handle: handle.trim().toLowerCase(), ...named, members });
    setProblem(reply.problem);
    if (!reply.problem) onDone();
  };
  return (
    <form
      ref={form}
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {!group && (
        <Field
          label={t.groupHandle}
          value={handle}
          onWrite={setHandle}
          maxLength={39}
          spellcheck={false}
          autocomplete="off"
          required
        />
      )}
      <Field label={t.groupName} value={name} onWrite={setName} maxLength={80} autocomplete="off" />
      <fieldset class="options">
        <legend class="label">{group ? t.membersOf(visible(group.name)) : t.members}</legend>
        {people.map((person) => (
          <Member
            key={person.id}
            person={person}
            checked={members.includes(person.handle)}
            onCheck={(checked) =>
              setMembers([...members.filter((one) => one !== person.handle), ...(checked ? [person.handle] : [])])
            }
          />
        ))}
      </fieldset>
      <Refused problem={problem} />
      <SubmitBar cancel={t.cancel} submit={group ? t.save : t.make} onCancel={onDone} />
    </form>
  );
}

function Member({
  person,
  checked,
  onCheck,
}: {
  person: Person;
  checked: boolean;
  onCheck: (checked: boolean) => void;
}) {
  return (
    <label class="option">
      <input type="checkbox" checked={checked} onChange={(event) => onCheck(event.currentTarget.checked)} />
      <span class="ring ring--box">
        <Mark name="tick" />
      </span>
      <span>
        <b>{visible(person.name)}</b>
        <i>{person.handle}</i>
      </span>
    </label>
  );
}
