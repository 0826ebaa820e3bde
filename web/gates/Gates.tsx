import './gates.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Gate, MadeGate } from '#shared/policies/gate.ts';
import type { Problem } from '#shared/problem.ts';
import { parseExact } from '#shared/json.ts';
import { visible } from '#shared/visible.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { RowAct } from '../app/form/RowAct.tsx';
import { CopyLine } from '../connect/CopyLine.tsx';
import { Removal } from '../settings/Removal.tsx';
import { Space } from '../ui/sentence/Space.tsx';
import { EditGate } from './EditGate.tsx';
import { words } from './words.ts';
import { Tools } from './Tools.tsx';

/** The owner's gates: what stands before which MCP server, and what each does with whose tools. */
export function Gates() {
  const t = say(words);
  const [gates, setGates] = useState<Gate[] | undefined>();
  const [adding, setAdding] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const [made, setMade] = useState<MadeGate | undefined>();
  const readings = useRef(0);
  const read = async () => {
    const reading = ++readings.current;
    const reply = await call<{ items: Gate[] }>('GET', '/v1/gates');
    // One that was begun later knows more.
    if (reading !== readings.current) return;
    setProblem(reply.problem);
    // A number in a rule goes back as it came.
    if (reply.ok) setGates((parseExact(reply.text) as typeof reply.ok).items);
  };
  useEffect(() => void read(), []);
  return (
    <section class="panel" aria-labelledby="gates">
      <h2 id="gates">{t.title}</h2>
      <p class="say">{t.say}</p>
      <RefusedHere problem={problem} />
      {gates?.length === 0 && !adding && <p class="say">{t.none}</p>}
      <ul class="rows rows--plain">
        {(gates ?? []).map((gate) => (
          <GateRow
            key={gate.name}
            gate={gate}
            unreachable={made?.name === gate.name ? made.unreachable : undefined}
            onChanged={(changed) => {
              setMade(changed);
              void read();
            }}
          />
        ))}
      </ul>
      {adding ? (
        <EditGate
          gate={undefined}
          onDone={(added) => {
            setAdding(false);
            setMade(added);
            void read();
          }}
        />
      ) : (
        (gates ?? problem) && (
          <div class="fields">
            <Quiet icon="plus" onPress={() => setAdding(true)}>
              {t.add}
            </Quiet>
          </div>
        )
      )}
    </section>
  );
}

type Props = { gate: Gate; unreachable: string | undefined; onChanged: (made?: MadeGate) => void };

/** One gate: its address, its upstream and why that was not reached, and what can be done with it. */
function GateRow({ gate, unreachable, onChanged }: Props) {
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
