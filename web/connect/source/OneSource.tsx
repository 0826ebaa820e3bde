import '../../connections/connections.css';
import './source.css';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import { visible } from '#shared/visible.ts';
import type { Source } from '#shared/wire.ts';
import type { WebhookDelivery } from '#shared/schemas/deliveries.ts';
import { route } from '../../app/route.ts';
import { whenIs } from '../../app/clock.ts';
import { RefusedHere } from '../../app/form/Wrong.tsx';
import { call } from '../../live/api.ts';
import { me } from '../../live/session.ts';
import { Head } from '../../ui/shell/Head.tsx';
import { say } from '../../ui/language.ts';
import { Space } from '../../ui/sentence/Space.tsx';
import { Sources } from '../Sources.tsx';
import { Under } from '../Under.tsx';
import { words as common } from '../words.ts';
import { Approvals } from './Approvals.tsx';
import { AgentTexts } from './AgentTexts.tsx';
import { Deliveries } from './Deliveries.tsx';
import { deliveryWords } from './deliveryWords.ts';
import { TimeOuts } from './TimeOuts.tsx';
import { useDeliveries } from './useDeliveries.ts';
import { WhereAnswersGo } from './WhereAnswersGo.tsx';
import { words } from './words.ts';

/** Every source, or the one that the address names. */
export function SourcePlace() {
  const at = route.value;
  return at.page === 'sources' && at.id !== undefined ? <OneSource key={at.id} id={at.id} /> : <Sources />;
}

/** One source: whom it may ask, where answers go and what arrived, and what its agent is told. */
function OneSource({ id }: { id: string }) {
  const t = say(words);
  const c = say(common);
  const [source, setSource] = useState<Source | 'none' | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const owner = me.value?.person.owner ?? true;
  useEffect(() => {
    const read = async () => {
      const reply = await call<{ items: Source[] }>('GET', '/v1/sources');
      setProblem(reply.problem);
      if (reply.ok) setSource(reply.ok.items.find((one) => one.id === id) ?? 'none');
    };
    if (owner) void read();
  }, [owner]);
  const found = typeof source === 'object' ? source : undefined;
  const deliveries = useDeliveries(owner ? id : undefined);
  const undelivered = deliveries.items?.filter(isUndelivered).length ?? 0;
  const name = found && visible(found.name);
  const changed = (next: Source) => {
    setSource(next);
    deliveries.read();
  };
  return (
    <>
      <aside class="side" aria-label={c.sources}>
        <Head
          clauses={name && undelivered > 0 ? [name, say(deliveryWords).undelivered(undelivered)] : [name ?? c.sources]}
        >
          <Under here="/sources" />
          {!owner && <p class="lede">{c.ownerOnly}</p>}
          {found && (
            <p class="lede">
              {found.mayAsk.includes('*') ? c.mayAskAll : c.mayAskList(found.mayAsk.join(', ') || found.owner)}
              <Space />
              {found.usedAt ? c.used(whenIs(found.usedAt)) : c.unused}
            </p>
          )}
        </Head>
      </aside>
      <main class="page" id="open" aria-busy={owner && !source && !problem ? 'true' : undefined}>
        {(problem || source === 'none') && (
          <section class="panel" aria-label={c.sources}>
            {problem ? <RefusedHere problem={problem} /> : <p class="say day">{t.unknown}</p>}
            <div class="pageacts">
              <a class="quiet" href="/sources">
                <span class="link">{t.all}</span>
              </a>
            </div>
          </section>
        )}
        {found && (
          <>
            <WhereAnswersGo source={found} onSaved={changed} />
            <Deliveries {...deliveries} paused={found.webhooksPausedAt !== undefined} />
            <section class="panel">
              <Approvals source={found} onSaved={setSource} />
              <TimeOuts source={found} />
              <AgentTexts source={found} onSaved={setSource} />
            </section>
          </>
        )}
      </main>
    </>
  );
}

/** An answer that was given up, or that waits after an attempt without success. */
function isUndelivered({ type, state, attemptCount }: WebhookDelivery): boolean {
  if (type === 'inquiry.unreachable') return false;
  return state === 'failed' || (state === 'pending' && attemptCount > 0);
}
