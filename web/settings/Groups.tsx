import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Group, Person } from '#shared/wire.ts';
import { visible } from '#shared/visible.ts';
import { Refused, RefusedHere } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { SettingRow, SettingRows } from '../ui/SettingRows.tsx';
import { SubmitBar, useFirstField } from '../app/form/Form.tsx';
import { Field } from '../ui/Field.tsx';
import { Mark } from '../ui/Mark.tsx';
import { Removal } from './Removal.tsx';
import { words } from './words.ts';

/** The owner's groups: who is asked when a group is. */
export function Groups() {
  const t = say(words);
  const [groups, setGroups] = useState<Group[] | undefined>();
  const [people, setPeople] = useState<Person[]>([]);
  const [editing, setEditing] = useState<Group | 'new' | undefined>();
  const [removing, setRemoving] = useState<Group | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const read = async () => {
    const [found, who] = await Promise.all([
      call<{ items: Group[] }>('GET', '/v1/groups'),
      call<{ items: Person[] }>('GET', '/v1/people'),
    ]);
    setProblem(found.problem ?? who.problem);
    if (found.ok) setGroups(found.ok.items);
    if (who.ok) setPeople(who.ok.items);
  };
  useEffect(() => void read(), []);
  const edit = (group: Group | 'new') => {
    void read();
    setEditing(group);
  };
  const done = () => {
    setEditing(undefined);
    void read();
  };
  const old = typeof editing === 'object' ? editing : undefined;
  return (
    <SettingRows
      title={t.groups}
      act={<Quiet onPress={() => edit('new')}>{t.addGroup}</Quiet>}
      below={
        <>
          <RefusedHere problem={problem} />
          {groups?.length === 0 && <p class="say">{t.groupsSay}</p>}
          {editing && (
            <GroupDialog
              group={old}
              people={people}
              onDone={done}
              onRemove={() => {
                setEditing(undefined);
                setRemoving(old);
              }}
            />
          )}
          {removing && (
            <Removal
              title={t.removeTitle(visible(removing.name))}
              explanation={t.removeGroupSay}
              path={`/v1/groups/${removing.id}`}
              onClose={() => setRemoving(undefined)}
              onRemoved={() => void read()}
            />
          )}
        </>
      }
    >
      {(groups ?? []).map((group) => (
        <SettingRow
          key={group.id}
          name={visible(group.name)}
          hint={group.handle}
          value={t.peopleCount(group.members.length)}
          opens={() => edit(group)}
        />
      ))}
    </SettingRows>
  );
}

type EditGroupProps = { group: Group | undefined; people: Person[]; onDone: () => void };

function GroupDialog({ onRemove, ...edit }: EditGroupProps & { onRemove: () => void }) {
  const t = say(words);
  const { group, onDone } = edit;
  return (
    <Dialog title={group ? visible(group.name) : t.addGroup} onClose={onDone}>
      <p class="dim">{t.groupsSay}</p>
      <EditGroup {...edit} />
      {group && (
        <Quiet label={t.removeOf(group.handle)} onPress={onRemove}>
          {t.remove}
        </Quiet>
      )}
    </Dialog>
  );
}

/** Makes a group, or changes its name and members. */
function EditGroup({ group, people, onDone }: EditGroupProps) {
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
