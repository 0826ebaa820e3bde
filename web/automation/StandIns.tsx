import { useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import type { Source } from '#shared/wire.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import type { useDeciders } from '../deciders/useDeciders.ts';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import { Switch } from '../ui/Switch.tsx';
import { automationWords } from './words.ts';

type StandInsProps = {
  deciders: ReturnType<typeof useDeciders>;
  sources: (AskingSource & Partial<Source>)[];
  /** What the one of this name did this week, as words. */
  didOf: (name: string) => string;
};

/** The stand-ins, each with the sources that it serves; the owner turns them on and off. */
export function StandIns({ deciders: { items, problem, read }, sources, didOf }: StandInsProps) {
  const t = automationWords();
  const [refused, setRefused] = useState<Problem | undefined>();
  const owner = me.value?.person.owner ?? false;
  const turn = async (id: string, on: boolean) => {
    const reply = await call('PATCH', `/v1/deciders/${id}`, { off: !on });
    setRefused(reply.problem);
    await read();
  };
  const served = (id: string, how: boolean) =>
    sources.filter(({ decider }) => decider?.id === id && decider.suggests === how).map(({ name }) => visible(name));
  return (
    <section class="panel" aria-labelledby="automation-stand-ins">
      <div class="kindof">
        <h2 id="automation-stand-ins">{t.standIns}</h2>
        {owner && (
          <a class="quiet" href="/deciders#new">
            <span class="link">{t.newStandIn}</span>
          </a>
        )}
      </div>
      <RefusedHere problem={problem ?? refused} />
      {items?.length === 0 && <p class="say">{t.noStandIn}</p>}
      <ol class="autos">
        {items?.map(({ id, name: raw, off }) => {
          const name = visible(raw);
          return (
            <li key={id} class={off ? 'is-off' : undefined}>
              <p class="saying">{owner ? t.serves(name, served(id, true), served(id, false)) : <b>{name}</b>}</p>
              {!off && <p>{didOf(raw)}</p>}
              {owner && (
                <div class="acts">
                  <Switch on={!off} label={name} onTurn={(on) => void turn(id, on)} />
                  <a class="quiet" href={`/deciders#${id}`} aria-label={t.of(t.edit, name)}>
                    <span class="link">{t.edit}</span>
                  </a>
                  <a class="quiet" href={`/deciders#${id}/sources`} aria-label={t.of(t.sources, name)}>
                    <span class="link">{t.sources}</span>
                  </a>
                </div>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
