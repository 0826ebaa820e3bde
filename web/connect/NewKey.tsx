import { useEffect, useRef, useState } from 'preact/hooks';
import type { Problem } from '#shared/problem.ts';
import type { NewSourceReply } from '#shared/wire.ts';
import { Refused } from '../app/form/Wrong.tsx';
import { call } from '../live/api.ts';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { Button, Quiet } from '../ui/Button.tsx';
import { words } from './words.ts';
import { CopyLine } from './CopyLine.tsx';

type NewKeyProps = { another: boolean; suggested: string; onMade: (reply: NewSourceReply) => void };

/** Names a new source, after what is connected unless a person writes a name; its key comes back once. */
export function NewKey({ another, suggested, onMade }: NewKeyProps) {
  const t = say(words);
  const [written, setName] = useState<string | undefined>();
  const name = written ?? suggested;
  const [mayAsk, setMayAsk] = useState('');
  const [webhookUrl, setWebhookUrl] = useState('');
  const [wrong, setWrong] = useState<Problem | undefined>();
  const [tried, setTried] = useState(false);
  const unnamed = name.trim() === '';
  const [busy, setBusy] = useState(false);
  const make = async (form: HTMLFormElement) => {
    if (busy) return;
    setTried(unnamed);
    if (unnamed) return form.querySelector('input')?.focus();
    const handles = mayAsk.split(/[\s,，]+/).filter(Boolean);
    setBusy(true);
    const reply = await call<NewSourceReply>('POST', '/v1/sources', {
      name: name.trim(),
      ...(handles.length > 0 ? { mayAsk: handles } : {}),
      ...(webhookUrl.trim() === '' ? {} : { webhookUrl: webhookUrl.trim() }),
    });
    setBusy(false);
    setWrong(reply.problem);
    if (!reply.ok) return;
    setName(undefined);
    onMade(reply.ok);
  };
  return (
    <form
      class="newkey"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void make(event.currentTarget);
      }}
    >
      <Field
        label={t.name}
        value={name}
        onWrite={setName}
        maxLength={80}
        name="source"
        wrong={tried && unnamed ? t.needsName : undefined}
      />
      <details>
        <summary class="quiet">
          <span class="link">{t.more}</span>
        </summary>
        <Field label={t.mayAsk} value={mayAsk} onWrite={setMayAsk} name="mayAsk" spellcheck={false} />
        <Field
          label={t.webhook}
          value={webhookUrl}
          onWrite={setWebhookUrl}
          type="url"
          name="webhook"
          spellcheck={false}
        />
      </details>
      <Refused problem={wrong} />
      <div class="bar-do card-do">
        <Button look={another ? 'line' : 'do'} submit waits={busy} onPress={() => {}}>
          {another ? t.makeAnother : t.make}
        </Button>
      </div>
    </form>
  );
}

/** A key just made, which is shown only now, until somebody says that it was copied. */
export function MadeKey({ made, onCopied }: { made: NewSourceReply; onCopied: () => void }) {
  const t = say(words);
  const heading = useRef<HTMLHeadingElement>(null);
  // On a phone it appears below the button that made it.
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h2 tabIndex={-1} ref={heading}>
        {t.keep}
      </h2>
      <CopyLine text={made.key} label={t.copyKey} />
      {made.source.webhookUrl !== undefined && (
        <>
          <p class="say day">{t.secret}</p>
          <CopyLine text={made.webhookSecret} label={t.copySecret} />
        </>
      )}
      <p class="say">
        <Quiet onPress={onCopied}>{t.hasCopied}</Quiet> {t.keepSay}
      </p>
    </>
  );
}
