import { useState } from 'preact/hooks';
import type { ChangePreferences } from '#shared/preferences.ts';
import type { Problem } from '#shared/problem.ts';
import type { Person } from '#shared/wire.ts';
import { visible } from '#shared/visible.ts';
import { install, installable } from '../app/browser/install.ts';
import { chooseTheme, theme } from '../app/browser/theme.ts';
import { SubmitBar } from '../app/form/Form.tsx';
import { Refused } from '../app/form/Wrong.tsx';
import { InstallOffer } from '../app/InstallOffer.tsx';
import { changeMe, me, type MeChange } from '../live/session.ts';
import { NotificationsRow, OwnNotifications } from '../push/OwnNotifications.tsx';
import { quietSummary } from '../quiet/words.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Field } from '../ui/Field.tsx';
import { type Language, language, say, speak } from '../ui/language.ts';
import { SettingChoice, SettingRow, SettingRows } from '../ui/SettingRows.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { Groups } from './Groups.tsx';
import { People } from './People.tsx';
import { SettingsPlaces } from './SettingsPlaces.tsx';
import { useAsking, WayRows, Ways } from './Ways.tsx';
import { words } from './words.ts';

/** How the hub writes to this person, as rows; for the owner, the people and groups of the hub. */
export function Settings() {
  const t = say(words);
  const [problem, setProblem] = useState<Problem | undefined>();
  const person = me.value?.person;
  const asking = useAsking();
  const set = (part: MeChange) => void changeMe(part).then(setProblem);
  const [opened, open] = useState<'install' | 'notifications' | undefined>();
  const close = () => open(undefined);
  const prefer = (preferences: ChangePreferences) => set({ preferences });
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[t.title]}>
          <SettingsPlaces here="/settings" />
          <Refused problem={problem} />
        </Head>
      </aside>
      <main class="page" id="open">
        <SettingRows title={t.thisPage}>
          <Look onSpeak={(locale) => set({ locale })} />
          {installable.value && (
            <SettingRow
              name={t.install}
              opens={() => (installable.value === 'ios' ? open('install') : void install())}
            />
          )}
          {person && asking && <WayRows onChange={prefer} />}
        </SettingRows>
        {person && asking && (
          <>
            <Ways asking={asking} onChange={prefer} />
            <SettingRows title={t.notifications}>
              <NotificationsRow onOpen={() => open('notifications')} />
              <SettingChoice
                name={t.onLock}
                hint={t.lockSay}
                value={person.privacy}
                options={(['title', 'full', 'source', 'nothing'] as const).map(
                  (level) => [level, t.privacies[level]] as const,
                )}
                onPick={(privacy) => set({ privacy })}
              />
              <SettingRow
                name={t.quiet}
                hint={t.inAutomation}
                value={quietSummary(me.value?.preferences.quiet)}
                opens="/quiet"
              />
            </SettingRows>
            <You person={person} />
            {person.owner && <People />}
            {person.owner && <Groups />}
          </>
        )}
        {opened === 'notifications' && <OwnNotifications onClose={close} />}
        {opened === 'install' && (
          <Dialog title={t.install} onClose={close}>
            <InstallOffer />
          </Dialog>
        )}
      </main>
    </>
  );
}

function Look({ onSpeak }: { onSpeak: (locale: Language) => void }) {
  const t = say(words);
  return (
    <>
      <SettingChoice
        name={t.language}
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
      <SettingChoice
        name={t.theme}
        value={theme.value}
        options={(['system', 'light', 'dark'] as const).map((one) => [one, t.themes[one]] as const)}
        onPick={chooseTheme}
      />
    </>
  );
}

function You({ person }: { person: Person }) {
  const t = say(words);
  const [changing, setChanging] = useState<'name' | 'handle' | undefined>();
  return (
    <SettingRows
      title={t.who}
      below={changing && <Rename person={person} of={changing} onClose={() => setChanging(undefined)} />}
    >
      <SettingRow name={t.name} value={visible(person.name)} opens={() => setChanging('name')} />
      <SettingRow name={t.handle} hint={t.handleHint} value={person.handle} opens={() => setChanging('handle')} />
    </SettingRows>
  );
}

type RenameProps = { person: Person; of: 'name' | 'handle'; onClose: () => void };

function Rename({ person, of, onClose }: RenameProps) {
  const t = say(words);
  const [written, write] = useState(person[of]);
  const [problem, setProblem] = useState<Problem | undefined>();
  const text = of === 'handle' ? written.trim().toLowerCase() : written.trim();
  const save = async () => {
    const refused = text === person[of] ? undefined : await changeMe({ [of]: text });
    setProblem(refused);
    if (!refused) onClose();
  };
  return (
    <Dialog title={t[of]} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text !== '') void save();
        }}
      >
        <Field
          label={t[of]}
          value={written}
          onWrite={write}
          maxLength={of === 'name' ? 80 : 39}
          spellcheck={of === 'name'}
          autocomplete={of === 'name' ? 'nickname' : 'username'}
          autoFocus
          required
        />
        {of === 'handle' && <p class="hint">{t.handleSay}</p>}
        <Refused problem={problem} />
        <SubmitBar cancel={t.cancel} submit={t.save} waits={text === ''} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
