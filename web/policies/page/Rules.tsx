import '../policies.css';
import { useEffect, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import { useDeciders } from '../../deciders/useDeciders.ts';
import { call } from '../../live/api.ts';
import { me } from '../../live/session.ts';
import { Head } from '../../ui/desk/Head.tsx';
import { SettingsPlaces } from '../../settings/SettingsPlaces.tsx';
import { ruleWords } from '../words.ts';
import { RuleList } from './RuleList.tsx';

/** The rules that answer before anybody is asked: for the owner those of the hub, and one's own. */
export function Rules() {
  const t = ruleWords();
  const [sources, setSources] = useState<AskingSource[]>([]);
  const deciders = useDeciders().items ?? [];
  const [counts, setCounts] = useState<{ me?: number; hub?: number }>({});
  const owner = me.value?.person.owner ?? false;
  useEffect(() => {
    // The owner's rules may name a source that has never asked the owner.
    const path = owner ? '/v1/sources' : '/v1/people/me/sources';
    void call<{ items: AskingSource[] }>('GET', path).then(({ ok }) => ok && setSources(ok.items));
  }, [owner]);
  const count = counts.me === undefined ? undefined : counts.me + (counts.hub ?? 0);
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[count === undefined ? t.reading : t.head(count)]}>
          <SettingsPlaces here="/rules" />
          <p class="lede">{t.lede}</p>
        </Head>
      </aside>
      <main class="page" id="open">
        {owner && (
          <RuleList of="hub" {...{ sources, deciders }} onCount={(hub) => setCounts((known) => ({ ...known, hub }))} />
        )}
        <RuleList of="me" {...{ sources, deciders }} onCount={(own) => setCounts((known) => ({ ...known, me: own }))} />
      </main>
    </>
  );
}
