import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Group, Person } from '#shared/wire.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { visible } from '#shared/visible.ts';
import { EditGroup } from './EditGroup.tsx';
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
  return (
    <section class="panel">
      <h2>{t.groups}</h2>
      <p class="say">{t.groupsSay}</p>
      {groups?.length === 0 && <p class="say">{t.noGroups}</p>}
      <RefusedHere problem={problem} />
      <ul class="rows rows--plain">
        {(groups ?? []).map((group) => (
          <GroupRow key={group.id} group={group} onChange={() => edit(group)} onRemove={() => setRemoving(group)} />
        ))}
      </ul>
      <div class="fields">
        <Quiet icon="plus" onPress={() => edit('new')}>
          {t.addGroup}
        </Quiet>
      </div>
      {editing && (
        <EditGroup
          key={editing === 'new' ? 'new' : editing.id}
          group={editing === 'new' ? undefined : editing}
          people={people}
          onDone={() => {
            setEditing(undefined);
            void read();
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
    </section>
  );
}

function GroupRow({ group, onChange, onRemove }: { group: Group; onChange: () => void; onRemove: () => void }) {
  const t = say(words);
  return (
    <li>
      <div>
        <h3>
          <bdi>{visible(group.name)}</bdi>
          <small>{group.handle}</small>
        </h3>
        <p>{group.members.join(t.comma)}</p>
      </div>
      <div class="acts">
        <RowAct word={t.change} about={t.changeOf(group.handle)} onPress={onChange} />
        <RowAct word={t.remove} about={t.removeOf(group.handle)} onPress={onRemove} />
      </div>
    </li>
  );
}
