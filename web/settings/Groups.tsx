import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Group, Person } from '#shared/wire.ts';
import { explain } from '../app/explain.ts';
import { Wrong } from '../app/Wrong.tsx';
import { call } from '../live/api.ts';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { Mark } from '../ui/Mark.tsx';
import { Quiet, Slab } from '../ui/Slab.tsx';
import { visible } from '../ui/theirs.ts';
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
    const [found, who] = await Promise.all([call<{ items: Group[] }>('GET', '/v1/groups'), call<{ items: Person[] }>('GET', '/v1/people')]);
    setProblem(found.problem ?? who.problem);
    if (found.ok) setGroups(found.ok.items);
    if (who.ok) setPeople(who.ok.items);
  };
  useEffect(() => void read(), []);
  const edit = (group: Group | 'new') => {
    void read();
    setEditing(group);
  };
  return (
    <section class="sheet">
      <h2>{t.groups}</h2>
      <p class="say">{t.groupsSay}</p>
      {groups?.length === 0 && <p class="say">{t.noGroups}</p>}
      {problem && (
        <div class="reply">
          <Wrong>{explain(problem)}</Wrong>
        </div>
      )}
      <ul class="rows rows--plain">
        {(groups ?? []).map((group) => (
          <li key={group.id}>
            <div>
              <h3>
                {visible(group.name)}
                <small>{group.handle}</small>
              </h3>
              <p>{group.members.join(', ')}</p>
            </div>
            <div class="acts">
              <button type="button" class="quiet" aria-label={t.changeOf(group.handle)} onClick={() => edit(group)}>
                <span class="link">{t.change}</span>
              </button>
              <button type="button" class="quiet" aria-label={t.removeOf(group.handle)} onClick={() => setRemoving(group)}>
                <span class="link">{t.remove}</span>
              </button>
            </div>
          </li>
        ))}
      </ul>
      {editing ? (
        <EditGroup
          key={editing === 'new' ? 'new' : editing.id}
          group={editing === 'new' ? undefined : editing}
          people={people}
          onDone={() => {
            setEditing(undefined);
            void read();
          }}
        />
      ) : (
        <div class="fields">
          <Quiet icon="plus" onPress={() => edit('new')}>
            {t.addGroup}
          </Quiet>
        </div>
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
    </section>
  );
}

function EditGroup({ group, people, onDone }: { group: Group | undefined; people: Person[]; onDone: () => void }) {
  const t = say(words);
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
      class="fields"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {!group && <Field label={t.groupHandle} value={handle} onWrite={setHandle} maxLength={39} spellcheck={false} autocomplete="off" required autoFocus />}
      <Field label={t.groupName} value={name} onWrite={setName} maxLength={80} autocomplete="off" />
      <fieldset class="options">
        <legend class="label">{group ? t.membersOf(visible(group.name)) : t.members}</legend>
        {people.map((person) => (
          <label class="option" key={person.id}>
            <input
              type="checkbox"
              checked={members.includes(person.handle)}
              onChange={(event) => setMembers(event.currentTarget.checked ? [...members, person.handle] : members.filter((one) => one !== person.handle))}
            />
            <span class="ring ring--box">
              <Mark name="tick" />
            </span>
            <span>
              <b>{visible(person.name)}</b>
              <i>{person.handle}</i>
            </span>
          </label>
        ))}
      </fieldset>
      {problem && <Wrong>{explain(problem)}</Wrong>}
      <div class="bar-do">
        <Slab look="line" onPress={onDone}>
          {t.cancel}
        </Slab>
        <Slab submit onPress={() => {}}>
          {group ? t.save : t.make}
        </Slab>
      </div>
    </form>
  );
}
