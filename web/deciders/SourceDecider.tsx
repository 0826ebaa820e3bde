import '../connections/connections.css';
import './deciders.css';
import { useState } from 'preact/hooks';
import type { DeciderName } from '#shared/policies/decider.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import type { Source } from '#shared/wire.ts';
import { Choice, SubmitBar } from '../app/form/Form.tsx';
import { Refused } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { deciderWords } from './words.ts';

const LEAVES = ['suggests', 'actions', 'agentMayAsk', 'afterDecline'] as const;

type SourceDeciderProps = { source: Source; deciders: DeciderName[]; onClose: () => void; onChanged: () => void };

/** Which decider a source has, and what that one may do for it. */
export function SourceDecider({ source, deciders, onClose, onChanged }: SourceDeciderProps) {
  const t = deciderWords();
  const [chosen, choose] = useState(source.decider ?? { id: '', suggests: false, actions: false, agentMayAsk: false });
  const [problem, setProblem] = useState<Problem | undefined>();
  const save = async () => {
    const reply = await call('PATCH', `/v1/sources/${source.id}`, { decider: chosen.id === '' ? null : chosen });
    setProblem(reply.problem);
    if (reply.problem) return;
    onChanged();
    onClose();
  };
  const words = Object.fromEntries([['', t.nobody], ...deciders.map(({ id, name }) => [id, visible(name)] as const)]);
  return (
    <Dialog title={t.sourceTitle(visible(source.name))} onClose={onClose}>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Choice label={t.ofSource} value={chosen.id} words={words} onPick={(id) => choose({ ...chosen, id })} />
        {chosen.id !== '' &&
          LEAVES.map((leave) => (
            <label class="check" key={leave}>
              <input
                type="checkbox"
                checked={chosen[leave] ?? false}
                onChange={(event) => choose({ ...chosen, [leave]: event.currentTarget.checked })}
              />{' '}
              {t[leave]}
            </label>
          ))}
        <p class="hint">{t.never}</p>
        <Refused problem={problem} />
        <SubmitBar cancel={t.cancel} submit={t.save} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

/** One sentence on the decider of a source. */
export function actsFor({ decider }: Source, deciders: DeciderName[]): string | undefined {
  const found = deciders.find(({ id }) => id === decider?.id);
  if (!decider || !found) return undefined;
  const t = deciderWords();
  return t.acts(
    visible(found.name),
    LEAVES.filter((leave) => decider[leave]).map((leave) => t.may[leave]),
  );
}
