import '../policies.css';
import { useEffect, useState } from 'preact/hooks';
import type { AskingSource } from '#shared/history.ts';
import type { Preview } from '#shared/policies/preview.ts';
import type { Policies, Rule } from '#shared/policies/rule.ts';
import type { Problem } from '#shared/problem.ts';
import { RefusedHere } from '../../app/form/Wrong.tsx';
import { navigate, route } from '../../app/route.ts';
import { Automation } from '../../automation/Automation.tsx';
import { Back } from '../../automation/Back.tsx';
import { useDeciders } from '../../deciders/useDeciders.ts';
import { call } from '../../live/api.ts';
import { me } from '../../live/session.ts';
import { recall } from '../../live/stored.ts';
import { Head } from '../../ui/shell/Head.tsx';
import { noteLatest } from '../latest.ts';
import { readList, type Whose, writeList } from '../lists.ts';
import { offerWaiting } from '../waiting.ts';
import { ruleWords } from '../words.ts';
import { draftKey, EditRule } from './EditRule.tsx';
import type { Written } from './written.ts';

/** Where a rule is made or changed; the fragment says of which list, and which rule. */
export function Rules() {
  // Read, so that another address shows another one.
  const [of, ...name] = route.value.page === 'rules' ? location.hash.slice(1).split('/') : [];
  if (of !== 'me' && of !== 'hub') return <Automation />;
  return <Editing key={location.hash} of={of} name={decodeURIComponent(name.join('/'))} />;
}

function Editing({ of, name }: { of: Whose; name: string }) {
  const t = ruleWords();
  const [sources, setSources] = useState<AskingSource[]>([]);
  const [list, setList] = useState<Policies | undefined>();
  const [draft, setDraft] = useState<Written | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const deciders = useDeciders().items ?? [];
  const owner = me.value?.person.owner ?? false;
  useEffect(() => {
    // The owner's rules may name a source that has never asked the owner.
    const path = owner ? '/v1/sources' : '/v1/people/me/sources';
    void call<{ items: AskingSource[] }>('GET', path).then(({ ok }) => ok && setSources(ok.items));
    void Promise.all([readList(of), recall<Written>(draftKey(of, name))]).then(([reply, kept]) => {
      setDraft(kept);
      setProblem(reply.problem);
      setList(reply.ok);
    });
  }, [of, name, owner]);
  const place = list?.rules.findIndex((rule) => rule.name === name) ?? -1;
  const save = async (rule: Rule, { waiting }: Preview): Promise<Problem | undefined> => {
    if (!list) return undefined;
    const { version, rules } = list;
    const reply = await writeList(of, { version, rules: rules.toSpliced(place < 0 ? rules.length : place, 1, rule) });
    if (reply.problem?.code === 'policies.changed') {
      const read = await readList(of);
      if (read.ok) setList(read.ok);
    }
    if (reply.problem) return reply.problem;
    await noteLatest(of, rules, { version: reply.ok.version, what: place < 0 ? 'added' : 'changed', name: rule.name });
    navigate('/automation');
    if (rule.then === 'approve') offerWaiting(({ id }) => waiting.some((one) => one.id === id));
    return undefined;
  };
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[place < 0 ? t.addTo[of] : name]}>
          <Back />
          <p class="lede">{place < 0 ? t.ledeNew : t.ledeEdit}</p>
        </Head>
      </aside>
      <main class="page" id="open">
        <section class="panel" aria-label={place < 0 ? t.addTo[of] : t.edit}>
          <RefusedHere problem={problem} />
          {list && (
            <EditRule
              {...{ of, sources, deciders }}
              rule={list.rules[place]}
              draft={draft}
              taken={list.rules}
              nameOf={(id) => [...sources, ...deciders].find((one) => one.id === id)?.name ?? id}
              onSave={save}
              onCancel={() => navigate('/automation')}
            />
          )}
        </section>
      </main>
    </>
  );
}
