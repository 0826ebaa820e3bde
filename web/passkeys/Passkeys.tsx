import './passkeys.css';
import { useEffect, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { Passkey, Passkeys as Own, PasskeyDoes, Proof } from '#shared/schemas/passkeys.ts';
import { visible } from '#shared/visible.ts';
import type { Source } from '#shared/wire.ts';
import { whenIs } from '../app/clock.ts';
import { RefusedHere } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { passkeyNews } from '../live/enrolments.ts';
import { me } from '../live/session.ts';
import { connection } from '../live/store.ts';
import { SettingsPlaces } from '../settings/SettingsPlaces.tsx';
import { Field } from '../ui/Field.tsx';
import { Head } from '../ui/shell/Head.tsx';
import { say } from '../ui/language.ts';
import { Button, Quiet } from '../ui/Button.tsx';
import { SettingChoice, SettingRow, SettingRows } from '../ui/SettingRows.tsx';
import { addPasskey, prove, works } from './ceremony.ts';
import { words } from './words.ts';

type Act = (wanted: PasskeyDoes, then: (proof: Proof) => Promise<Problem | undefined>) => Promise<void>;

/** A person's passkeys and printed codes, and what the owner wants them for. */
export function Passkeys() {
  const t = say(words);
  const [own, setOwn] = useState<Own | undefined>();
  const [problem, setProblem] = useState<Problem | undefined>();
  const [code, setCode] = useState<string | undefined>();
  const [codes, setCodes] = useState<string[] | undefined>();
  const read = async () => {
    const reply = await call<Own>('GET', '/v1/passkeys');
    if (reply.ok) setOwn(reply.ok);
    else setProblem(reply.problem);
  };
  useEffect(() => void read(), [connection.value, passkeyNews.value]);
  const act: Act = async (wanted, then) => {
    const proved = await prove(wanted, code ?? '');
    setProblem(proved.problem ?? (await then(proved.ok as Proof)));
    setCode(undefined);
    await read();
  };
  const print = () =>
    act({ does: 'codes' }, async (proof) => {
      const reply = await call<{ codes: string[] }>('POST', '/v1/passkeys/codes', proof);
      setCodes(reply.ok?.codes);
      return reply.problem;
    });
  if (!own) return <RefusedHere problem={problem} />;
  const { items, codesLeft } = own;
  return (
    <>
      <aside class="side" aria-label={t.title}>
        <Head clauses={[items.length > 0 ? t.stand(items.length) : t.noneYet]}>
          <SettingsPlaces here="/passkeys" />
          <p class="lede">{items.length > 0 ? t.lede : t.ledeNone}</p>
        </Head>
      </aside>
      <main class="page" id="open">
        <Panel {...{ own, act, code, setCode, problem }} onChanged={() => void read()} />
        <SettingRows title={t.ifLost} below={codes && <Codes codes={codes} />}>
          <SettingRow
            name={t.printed}
            hint={t.printedSay(codesLeft)}
            value={t.newCodes}
            {...(items.length > 0 ? { opens: () => void print() } : {})}
          />
        </SettingRows>
        <Scopes own={own} act={act} onProblem={setProblem} onChanged={() => void read()} />
      </main>
    </>
  );
}

type PanelProps = {
  own: Own;
  act: Act;
  code: string | undefined;
  setCode: (code: string) => void;
  problem: Problem | undefined;
  onChanged: () => void;
};

function Panel({ own, act, code, setCode, problem, onChanged }: PanelProps) {
  const t = say(words);
  const { items, codesLeft } = own;
  return (
    <section class="panel passkeys" aria-label={t.title}>
      <RefusedHere problem={problem} />
      <ul class="sets">
        {items.map((passkey) => (
          <Row key={passkey.id} {...{ passkey, act }} onChanged={onChanged} />
        ))}
      </ul>
      {works(own) ? (
        <Add act={act} first={items.length + codesLeft === 0} />
      ) : (
        <p class="say">{own.cannot ?? t.otherAddress(location.origin, own.rpId ?? '')}</p>
      )}
      {codesLeft > 0 &&
        (code === undefined ? (
          <p class="other">
            <Quiet onPress={() => setCode('')}>{t.usePrinted}</Quiet>
          </p>
        ) : (
          <div class="other">
            <Field
              label={t.printedCode}
              value={code}
              onWrite={setCode}
              autocomplete="off"
              spellcheck={false}
              autoFocus
            />
          </div>
        ))}
    </section>
  );
}

function Row({ passkey, act, onChanged }: { passkey: Passkey; act: Act; onChanged: () => void }) {
  const t = say(words);
  const { id, createdAt, usedAt, elsewhere, removalAt } = passkey;
  const name = visible(passkey.name);
  const [written, write] = useState<string | undefined>();
  const remove = () =>
    void act({ does: 'remove', id }, async (proof) => (await call('POST', `/v1/passkeys/${id}/remove`, proof)).problem);
  const rename = async () => {
    await call('PATCH', `/v1/passkeys/${id}`, { name: written });
    write(undefined);
    onChanged();
  };
  const keep = () => void call('DELETE', `/v1/passkeys/${id}/removal`).then(onChanged);
  const said = [
    t.added(whenIs(createdAt)),
    usedAt === undefined ? t.unused : t.used(whenIs(usedAt)),
    ...(elsewhere === undefined ? [] : [t.madeFor(elsewhere)]),
    ...(removalAt === undefined ? [] : [t.goes(whenIs(removalAt))]),
  ];
  return (
    <li>
      <div>
        {written === undefined ? (
          <span>
            <b dir="auto">{name}</b>
            <small>{said.join(' · ')}</small>
          </span>
        ) : (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void rename();
            }}
          >
            <Field label={t.name} value={written} onWrite={write} maxLength={80} required autoFocus />
          </form>
        )}
        <span class="acts">
          {removalAt !== undefined && <Quiet onPress={keep}>{t.keep}</Quiet>}
          <Quiet label={t.renameOf(name)} onPress={() => (written === undefined ? write(passkey.name) : void rename())}>
            {written === undefined ? t.rename : t.save}
          </Quiet>
          <Quiet label={t.removeOf(name)} onPress={remove}>
            {t.remove}
          </Quiet>
        </span>
      </div>
    </li>
  );
}

function Add({ act, first }: { act: Act; first: boolean }) {
  const t = say(words);
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<Problem | undefined>();
  const make = async (proof: Proof) => {
    const made = await addPasskey(name.trim() || t.usualName, proof);
    if (made.ok) setName('');
    return made.problem;
  };
  // Who has none has nothing to show it with.
  const add = async () => (first ? setProblem(await make({})) : act({ does: 'add' }, make));
  return (
    <form
      class="reply"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <Field label={t.name} value={name} onWrite={setName} placeholder={t.usualName} maxLength={80} />
      <p class="hint">{first ? t.asksYou : t.asksTwice}</p>
      <RefusedHere problem={problem} />
      <div class="bar-do">
        <Button submit onPress={() => {}}>
          {t.add}
        </Button>
      </div>
    </form>
  );
}

function Codes({ codes }: { codes: string[] }) {
  const t = say(words);
  return (
    <div class="reply">
      <p>{t.codesSay}</p>
      <ol class="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
    </div>
  );
}

type ScopesProps = { own: Own; act: Act; onProblem: (problem: Problem | undefined) => void; onChanged: () => void };

function Scopes({ own: { scopes }, act, onProblem, onChanged }: ScopesProps) {
  const t = say(words);
  const owner = me.value?.person.owner ?? false;
  const want = async (scope: string) => {
    onProblem((await call('POST', '/v1/passkeys/scopes', { scope })).problem);
    onChanged();
  };
  const release = (scope: string) =>
    act(
      { does: 'release', id: scope },
      async (proof) => (await call('POST', '/v1/passkeys/scopes/release', { scope, ...proof })).problem,
    );
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (owner && scopes.some((scope) => scope.startsWith('source ')))
      void call<{ items: Source[] }>('GET', '/v1/sources').then(
        ({ ok }) => ok && setNames(new Map(ok.items.map(({ id, name }) => [`source ${id}`, visible(name)]))),
      );
  }, [scopes.join()]);
  const is = scopes.includes('caution') ? 'passkey' : 'tap';
  const others = scopes.filter((scope) => scope !== 'caution');
  return (
    <SettingRows title={t.askedFor} below={<p class="say">{t.lies}</p>}>
      {owner ? (
        <SettingChoice
          name={t.cautions}
          hint={t.needsTwo}
          value={is}
          options={[
            ['tap', t.tap],
            ['passkey', t.passkey],
          ]}
          onPick={(picked) => picked !== is && void (picked === 'passkey' ? want('caution') : release('caution'))}
        />
      ) : (
        <SettingRow name={t.cautions} hint={t.byOwner} value={is === 'tap' ? t.tap : t.passkey} />
      )}
      {others.map((scope) => (
        <SettingRow
          key={scope}
          name={names.get(scope) ?? (scope.startsWith('gate ') ? t.gate(scope.slice(5)) : t.source)}
          value={t.passkey}
          {...(owner ? { opens: () => void release(scope) } : {})}
        />
      ))}
      <SettingRow name={t.others} value={t.tap} />
    </SettingRows>
  );
}
