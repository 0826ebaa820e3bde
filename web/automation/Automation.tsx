import './automation.css';
import '../ui/setting-rows.css';
import '../policies/policies.css';
import { useEffect, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { Attention } from '#shared/policies/attention.ts';
import type { Rule } from '#shared/policies/rule.ts';
import type { Source } from '#shared/wire.ts';
import { useDeciders } from '../deciders/useDeciders.ts';
import { call } from '../live/api.ts';
import { me } from '../live/session.ts';
import type { Whose } from '../policies/lists.ts';
import { RuleList } from '../policies/page/RuleList.tsx';
import { now } from '../ui/clock.ts';
import { Head } from '../ui/shell/Head.tsx';
import { QuietCard } from './QuietCard.tsx';
import { StandIns } from './StandIns.tsx';
import { automationWords } from './words.ts';
import { YoloCard } from './YoloCard.tsx';

/** All that answers without this person: rules, YOLO, stand-ins and quiet hours, each with what it did this week and a switch. */
export function Automation() {
  const t = automationWords();
  const owner = me.value?.person.owner ?? false;
  const [sources, setSources] = useState<(AskingSource & Partial<Source>)[]>([]);
  const [read, setRead] = useState(false);
  const [week, setWeek] = useState<Attention | undefined>();
  const [counts, setCounts] = useState<Partial<Record<Whose, number | undefined>>>({});
  const deciders = useDeciders();
  useEffect(() => {
    // The owner's rules may name a source that has never asked the owner.
    const path = owner ? '/v1/sources' : '/v1/people/me/sources';
    void Promise.all([
      call<{ items: AskingSource[] }>('GET', path).then(({ ok }) => ok && setSources(ok.items)),
      call<Attention>('GET', '/v1/attention').then(({ ok }) => ok && setWeek(ok)),
    ]).then(() => setRead(true));
  }, [owner]);
  // All of it at once: what stood there before the lists are read would be pushed down by them.
  const known =
    read && 'me' in counts && (!owner || 'hub' in counts) && (deciders.items ?? deciders.problem) !== undefined;
  const rules = (counts.me ?? 0) + (counts.hub ?? 0);
  const standIns = deciders.items?.filter(({ off }) => !off).length ?? 0;
  const did = (by: 'rule' | 'decider', name: string, then?: Rule['then']) => {
    const found = week?.automatic.find((one) => one.by === by && one.label === name);
    if (!found) return week ? t.didNothing : '';
    const what = then === 'approve' ? 'approve' : typeof then === 'object' && 'reject' in then ? 'reject' : 'settled';
    return t.didAt(t.did[what](found.count), Date.parse(found.lastAt), now.value);
  };
  const list = (of: Whose) => (
    <RuleList
      of={of}
      named={[...sources, ...(deciders.items ?? [])]}
      didOf={({ name, then }) => did('rule', name, then)}
      onRead={(count) => setCounts((before) => ({ ...before, [of]: count }))}
    />
  );
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[!known ? `${t.title}.` : rules + standIns === 0 ? t.nothing : t.head(rules, standIns)]}>
          {known && <Lede week={week} />}
        </Head>
      </aside>
      <main class="page" id="open" hidden={!known}>
        {owner && list('hub')}
        {list('me')}
        <YoloCard />
        <StandIns deciders={deciders} sources={sources} didOf={(name) => did('decider', name)} />
        <QuietCard />
      </main>
    </>
  );
}

function Lede({ week }: { week: Attention | undefined }) {
  const t = automationWords();
  const answered = week?.automatic.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const saved = week?.offers.reduce((sum, offer) => sum + offer.saved, 0) ?? 0;
  return (
    <>
      <p class="lede">
        {week && `${t.week(answered)} `}
        {t.never}
      </p>
      {week && saved > 0 && (
        <p class="lede">
          <a class="link" href="/attention">
            {t.suggestions(week.offers.length)}
          </a>
          {t.wouldSave(saved)}
        </p>
      )}
    </>
  );
}
