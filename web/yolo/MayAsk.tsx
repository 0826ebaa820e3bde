import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Source } from '#shared/wire.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { SourceOptions } from './SourceOptions.tsx';
import { yoloWords } from './words.ts';

/** Which sources may ask for YOLO for their own calls, as the owner allows it. */
export function MayAsk() {
  const t = yoloWords();
  const [sources, setSources] = useState<Source[]>([]);
  const [problem, setProblem] = useState<Problem | undefined>();
  const read = async () => {
    const { ok } = await call<{ items: Source[] }>('GET', '/v1/sources');
    if (ok) setSources(ok.items);
  };
  useEffect(() => void read(), []);
  const allowed = sources.filter(({ mayAskYolo }) => mayAskYolo).map(({ id }) => id);
  const choose = async (chosen: string[]) => {
    for (const { id, mayAskYolo = false } of sources) {
      if (chosen.includes(id) === mayAskYolo) continue;
      const reply = await call('PATCH', `/v1/sources/${id}`, { mayAskYolo: !mayAskYolo });
      setProblem(reply.problem);
    }
    await read();
  };
  if (sources.length === 0) return null;
  return (
    <section class="panel">
      <h2 class="day">{t.mayAsk}</h2>
      <p class="say">{t.mayAskSay}</p>
      <div class="fields">
        <SourceOptions
          label={t.sources}
          sources={sources}
          chosen={allowed}
          onChoose={(chosen) => void choose(chosen)}
        />
        <Refused problem={problem} />
      </div>
    </section>
  );
}
