import { useEffect, useState } from 'preact/hooks';
import type { DeciderName } from '#shared/policies/decider.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import type { Source } from '#shared/wire.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { Quiet } from '../ui/Button.tsx';
import { Switch } from '../ui/Switch.tsx';
import { actsFor, SourceDecider } from './SourceDecider.tsx';
import { deciderWords } from './words.ts';

/** The sources that this stand-in may serve: on, it suggests answers to their questions; what else it may do is set apart. */
export function Served({ decider: { id, name: raw }, deciders }: { decider: DeciderName; deciders: DeciderName[] }) {
  const t = deciderWords();
  const [sources, setSources] = useState<Source[] | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [changing, change] = useState<Source | undefined>();
  const read = async () => {
    const reply = await call<{ items: Source[] }>('GET', '/v1/sources');
    setProblem(reply.problem);
    if (reply.ok) setSources(reply.ok.items);
  };
  useEffect(() => void read(), []);
  const turn = async (source: Source, on: boolean) => {
    const decider = on ? { id, suggests: true, actions: false, agentMayAsk: false } : null;
    const reply = await call('PATCH', `/v1/sources/${source.id}`, { decider });
    if (reply.problem) return setProblem(reply.problem);
    await read();
  };
  const name = visible(raw);
  return (
    <section class="panel" aria-labelledby="served">
      <div class="kindof">
        <h2 id="served">{t.mayServe(name)}</h2>
      </div>
      <RefusedHere problem={problem} />
      {sources?.length === 0 && <p class="say">{t.noSource}</p>}
      <ul class="autos">
        {sources?.map((source) => {
          const serves = source.decider?.id === id;
          return (
            <li key={source.id}>
              <p class="saying">
                <bdi>{visible(source.name)}</bdi>
              </p>
              <p>{actsFor(source, deciders) ?? t.nobody}</p>
              <div class="acts">
                <Switch on={serves} label={visible(source.name)} onTurn={(on) => void turn(source, on)} />
                {serves && (
                  <Quiet label={t.of(t.leave, visible(source.name))} onPress={() => change(source)}>
                    {t.leave}
                  </Quiet>
                )}
              </div>
            </li>
          );
        })}
      </ul>
      {changing && (
        <SourceDecider
          source={changing}
          deciders={deciders}
          onClose={() => change(undefined)}
          onChanged={() => void read()}
        />
      )}
    </section>
  );
}
