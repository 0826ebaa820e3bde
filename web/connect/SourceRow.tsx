import { useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Source } from '#shared/wire.ts';
import { whenIs } from '../app/clock.ts';
import { RowAct } from '../app/form/RowAct.tsx';
import { Refused } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { Drawer } from '../ui/Drawer.tsx';
import { Icon } from '../ui/Icon.tsx';
import { say } from '../ui/language.ts';
import { Slab } from '../ui/Slab.tsx';
import { visible } from '#shared/visible.ts';
import { words } from './words.ts';

/** One source: whom it may ask, when it last did, and the end of its key. */
export function SourceRow({ source, onRemoved }: { source: Source; onRemoved: () => void }) {
  const t = say(words);
  const [removing, setRemoving] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>();
  const name = visible(source.name);
  const remove = async () => {
    const reply = await call('DELETE', `/v1/sources/${source.id}`);
    if (reply.problem && reply.problem.status !== 404) return setProblem(reply.problem);
    setRemoving(false);
    onRemoved();
  };
  return (
    <li>
      <Icon name="key" />
      <div>
        <h3>
          <a class="link" href={`/sources/${source.id}`}>
            {name}
          </a>
        </h3>
        <p>
          {source.mayAsk.includes('*') ? t.mayAskAll : t.mayAskList(source.mayAsk.join(', ') || source.owner)}{' '}
          {source.usedAt ? t.used(whenIs(source.usedAt)) : t.unused}
        </p>
      </div>
      <div class="acts">
        <RowAct word={t.remove} about={t.removeOf(name)} onPress={() => setRemoving(true)} />
      </div>
      {removing && (
        <Drawer title={t.removeTitle(name)} onClose={() => setRemoving(false)}>
          <p class="dim">{t.removeSay}</p>
          <Refused problem={problem} />
          <div class="bar-do">
            <Slab look="line" onPress={() => setRemoving(false)}>
              {t.keepIt}
            </Slab>
            <Slab onPress={() => void remove()}>{t.remove}</Slab>
          </div>
        </Drawer>
      )}
    </li>
  );
}
