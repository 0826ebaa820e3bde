import { useState } from 'preact/hooks';
import type { ChangePreferences } from '#shared/preferences.ts';
import type { Problem } from '#shared/problem.ts';
import type { Me, Person } from '#shared/wire.ts';
import { chooseTheme, theme } from '../app/browser/theme.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { InstallOffer } from '../app/InstallOffer.tsx';
import { call } from '../live/api.ts';
import { keepMe, me } from '../live/session.ts';
import { OwnNotifications } from '../push/OwnNotifications.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { Field, Word } from '../ui/Field.tsx';
import { type Language, language, say, speak } from '../ui/language.ts';
import { Button } from '../ui/Button.tsx';
import { Tied } from '../ui/sentence/Space.tsx';
import { Groups } from './Groups.tsx';
import { People } from './People.tsx';
import { SettingsPlaces } from './SettingsPlaces.tsx';
import { useAsking, Ways } from './Ways.tsx';
import { words } from './words.ts';

/** How the hub writes to this person, as sentences; for the owner, the people and groups of the hub. */
export function Settings() {
  const t = say(words);
  const [problem, setProblem] = useState<Problem | undefined>();
  const person = me.value?.person;
  const asking = useAsking();
  const change = async (
    part: Partial<Pick<Person, 'locale' | 'privacy' | 'name' | 'handle'>> | { preferences: ChangePreferences },
  ) => {
    const reply = await call<Me>('PATCH', '/v1/people/me', part);
    setProblem(reply.problem);
    if (reply.ok) await keepMe(reply.ok);
    return reply.problem === undefined;
  };
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[t.head]}>
          <SettingsPlaces here="/settings" />
          <p class="lede">{t.lede}</p>
          <InstallOffer />
          <Refused problem={problem} />
        </Head>
      </aside>
      <main class="page" id="open">
        <OnPage onSpeak={(locale) => void change({ locale })} />
        {person && asking && (
          <>
            <Ways asking={asking} onChange={(preferences) => void change({ preferences })} />
            <OwnNotifications />
            <OnLock person={person} onPick={(privacy) => void change({ privacy })} />
            <Who key={`${person.handle} ${person.name}`} person={person} onSave={change} />
            {person.owner && <People />}
            {person.owner && <Groups />}
          </>
        )}
      </main>
    </>
  );
}

function OnPage({ onSpeak }: { onSpeak: (locale: Language) => void }) {
  const t = say(words);
  return (
    <section class="panel">
      <h2 class="day">{t.onPage}</h2>
      <p class="sentence">
        {t.writeIn}{' '}
        <Tied text={t.on}>
          <Word
            label={t.language}
            value={language.value}
            options={[
              ['en', 'English'],
              ['zh', '中文'],
            ]}
            onPick={(chosen: Language) => {
              speak(chosen);
              onSpeak(chosen);
            }}
          />
        </Tied>{' '}
        <span class="tie">
          <Word
            label={t.theme}
            value={theme.value}
            options={[
              ['system', t.themes.system],
              ['light', t.themes.light],
              ['dark', t.themes.dark],
            ]}
            onPick={chooseTheme}
          />
          {t.stop}
        </span>
      </p>
    </section>
  );
}

function OnLock({ person, onPick }: { person: Person; onPick: (privacy: Person['privacy']) => void }) {
  const t = say(words);
  return (
    <section class="panel">
      <h2 class="day">{t.onLock}</h2>
      <p class="sentence">
        {t.show}{' '}
        <span class="tie">
          <Word
            label={t.privacy}
            value={person.privacy}
            options={(['title', 'full', 'source', 'nothing'] as const).map(
              (level) => [level, t.privacies[level]] as const,
            )}
            onPick={onPick}
          />
          {t.stop}
        </span>
      </p>
      <p class="say">{t.lockSay}</p>
    </section>
  );
}

function Who({
  person,
  onSave,
}: {
  person: Person;
  onSave: (part: { name?: string; handle?: string }) => Promise<boolean>;
}) {
  const t = say(words);
  const [name, setName] = useState(person.name);
  const [handle, setHandle] = useState(person.handle);
  const changed = name.trim() !== person.name || handle.trim() !== person.handle;
  const save = () => {
    if (!changed) return;
    void onSave({
      ...(name.trim() === person.name ? {} : { name: name.trim() }),
      ...(handle.trim() === person.handle ? {} : { handle: handle.trim().toLowerCase() }),
    });
  };
  return (
    <section class="panel">
      <h2 class="day">{t.who}</h2>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Field label={t.name} value={name} onWrite={setName} maxLength={80} autocomplete="nickname" required />
        <Field
          label={t.handle}
          value={handle}
          onWrite={setHandle}
          maxLength={39}
          spellcheck={false}
          autocomplete="username"
          required
        />
        <p class="hint">{t.handleSay}</p>
        <div class="bar-do">
          <Button look="line" submit waits={!changed} onPress={() => {}}>
            {t.save}
          </Button>
        </div>
      </form>
    </section>
  );
}
