import { useState } from 'preact/hooks';
import type { Gate, MadeGate } from '#shared/policies/gate.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { CopyLine } from '../connect/CopyLine.tsx';
import { Removal } from '../settings/Removal.tsx';
import { say } from '../ui/language.ts';
import { visible } from '#shared/visible.ts';
import { EditGate } from './EditGate.tsx';
import { Tools } from './Tools.tsx';
import { words } from './words.ts';
import { Space } from '../ui/sentence/Space.tsx';

type Props = { gate: Gate; unreachable: string | undefined; onChanged: (made?: MadeGate) => void };

/** One gate: its address, its upstream and why that was not reached, and what can be done with it. */
export function GateRow({ gate, unreachable, onChanged }: Props) {
  const t = say(words);
  const [open, setOpen] = useState<'tools' | 'change' | 'removal' | undefined>();
  const close = () => setOpen(undefined);
  return (
    <li>
      <div>
        <h3>{gate.name}</h3>
        <p>
          {t.before(visible(gate.upstream.url, true))}
          <Space />
          {t.rules(gate.rules.length)}
          <Space />
          {gate.from === 'file' && t.fromFile}
        </p>
        {unreachable !== undefined && (
          <p class="hint is-wrong" role="status">
            {t.unreachable(visible(unreachable))}
          </p>
        )}
      </div>
      <div class="acts">
        {open === 'tools' ? (
          <RowAct word={t.closeTools} about={t.closeToolsOf(gate.name)} onPress={close} />
        ) : (
          <RowAct word={t.tools} about={t.toolsOf(gate.name)} onPress={() => setOpen('tools')} />
        )}
        {gate.from === 'api' && (
          <>
            <RowAct word={t.change} about={t.changeOf(gate.name)} onPress={() => setOpen('change')} />
            <RowAct word={t.remove} about={t.removeOf(gate.name)} onPress={() => setOpen('removal')} />
          </>
        )}
      </div>
      {open === 'tools' && (
        <div class="gate-open">
          <p class="dim">{t.address}</p>
          <CopyLine text={gate.url} label={t.copyAddress} />
          <Tools gate={gate} onChanged={() => onChanged()} />
        </div>
      )}
      {open === 'change' && (
        <div class="gate-open">
          <EditGate
            gate={gate}
            onDone={(made) => {
              close();
              onChanged(made);
            }}
          />
        </div>
      )}
      {open === 'removal' && (
        <Removal
          title={t.removeTitle(gate.name)}
          explanation={t.removeSay}
          path={`/v1/gates/${gate.name}`}
          onClose={close}
          onRemoved={() => onChanged()}
        />
      )}
    </li>
  );
}
