import { useEffect, useRef, useState } from 'preact/hooks';
import type { Gate, MadeGate } from '#shared/policies/gate.ts';
import type { Problem } from '#shared/problem.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { parseExact } from '#shared/json.ts';
import { call } from '../live/api.ts';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { EditGate } from './EditGate.tsx';
import { GateRow } from './GateRow.tsx';
import { words } from './words.ts';
import './gates.css';

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
