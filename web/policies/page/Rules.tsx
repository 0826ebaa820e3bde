import '../policies.css';
import { useEffect, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import { useDeciders } from '../../deciders/useDeciders.ts';
import { call } from '../../live/api.ts';
import { me } from '../../live/session.ts';
import { Head } from '../../ui/shell/Head.tsx';
import { SettingsPlaces } from '../../settings/SettingsPlaces.tsx';
import type { Whose } from '../lists.ts';
import { ruleWords } from '../words.ts';
import { RuleList } from './RuleList.tsx';

/** The rules that answer before anybody is asked: for the owner those of the hub, and one's own. */
export function Rules() {
  const t = ruleWords();
  const [sources, setSources] = useState<AskingSource[]>([]);
  const deciders = useDeciders().items ?? [];
  const [counts, setCounts] = useState<Partial<Record<Whose, number | undefined>>>({});
  const owner = me.value?.person.owner ?? false;
  useEffect(() => {
    // The owner's rules may name a source that has never asked the owner.
    const path = owner ? '/v1/sources' : '/v1/people/me/sources';
    void call<{ items: AskingSource[] }>('GET', path).then(({ ok }) => ok && setSources(ok.items));
  }, [owner]);
  // All of it at once: what stood there before the lists are read would be pushed down by them.
  const known = 'me' in counts && (!owner || 'hub' in counts);
  const count = !known || counts.me === undefined ? undefined : counts.me + (counts.hub ?? 0);
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[count === undefined ? t.reading : t.head(count)]}>
          {known && (
            <>
              <SettingsPlaces here="/rules" />
              <p class="lede">{t.lede}</p>
            </>
          )}
        </Head>
      </aside>
      <main class="page" id="open" hidden={!known}>
        {owner && (
          <RuleList of="hub" {...{ sources, deciders }} onRead={(hub) => setCounts((before) => ({ ...before, hub }))} />
        )}
        <RuleList
          of="me"
          {...{ sources, deciders }}
          onRead={(own) => setCounts((before) => ({ ...before, me: own }))}
        />
      </main>
    </>
  );
}
