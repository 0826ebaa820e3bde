import '../devices/needs.css';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Inquiry } from '#shared/inquiry.ts';
import type { Passkeys } from '#shared/schemas/passkeys.ts';
import { visible } from '#shared/visible.ts';
import { call } from '../live/api.ts';
import { passkeyNews } from '../live/enrolments.ts';
import { connection } from '../live/store.ts';
import { Field } from '../ui/Field.tsx';
import { say } from '../ui/language.ts';
import { Quiet } from '../ui/Button.tsx';
import { works } from './ceremony.ts';
import { prepare, printed } from './signing.ts';
import { unable } from './unable.ts';
import { words } from './words.ts';

const AGAIN_MS = 40_000;

/** Says of an inquiry that its yes is signed with a passkey; where that cannot work here, why and what to do. */
export function Assured({ inquiry }: { inquiry: Inquiry }) {
  const t = say(words);
  const own = useSignal<Passkeys | undefined>(undefined);
  useEffect(() => {
    void call<Passkeys>('GET', '/v1/passkeys').then(({ ok }) => (own.value = ok ?? own.value));
  }, [inquiry.id, connection.value, passkeyNews.value]);
  const here = own.value && works(own.value);
  const usable = own.value?.items.some(({ elsewhere }) => elsewhere === undefined) ?? false;
  usePrepared(inquiry, here === true && usable);
  useEffect(() => () => void (printed.value = undefined), [inquiry.id]);
  const typed = printed.value?.inquiryId === inquiry.id && printed.value.code.trim() !== '';
  useEffect(() => {
    unable.value = own.value && !(here && usable) && !typed ? inquiry.id : undefined;
    return () => void (unable.value = undefined);
  }, [inquiry.id, own.value, typed]);
  if (!own.value) return null;
  const by = inquiry.assuredBy === 'owner' ? t.ownerWants : t.askerWants(visible(inquiry.source.name));
  if (here && usable) return <p class="reply hint">{by}</p>;
  return (
    <div class="reply">
      <div class="needs" role="note">
        <h3>{here ? t.noneYet : t.elsewhere}</h3>
        <p>{by}</p>
        <p>{here ? t.addFirst : (own.value.cannot ?? t.otherAddress(location.origin, own.value.rpId ?? ''))}</p>
        {here ? (
          <a class="quiet" href="/passkeys">
            <span class="link">{t.add}</span>
          </a>
        ) : (
          <p>{t.otherDevice}</p>
        )}
        {own.value.cannot !== undefined && (
          <a class="quiet" href="/steps">
            <span class="link">{t.howHttps}</span>
          </a>
        )}
        {own.value.codesLeft > 0 && <Printed inquiry={inquiry} />}
      </div>
    </div>
  );
}

function Printed({ inquiry }: { inquiry: Inquiry }) {
  const t = say(words);
  const typed = printed.value?.inquiryId === inquiry.id ? printed.value.code : undefined;
  const write = (code: string) => (printed.value = { inquiryId: inquiry.id, code });
  if (typed === undefined) return <Quiet onPress={() => write('')}>{t.usePrinted}</Quiet>;
  return <Field label={t.printedCode} value={typed} onWrite={write} autocomplete="off" spellcheck={false} autoFocus />;
}

// What a plain approval needs is fetched before the press, and again before it runs out.
function usePrepared(inquiry: Inquiry, can: boolean): void {
  useEffect(() => {
    if (!can || !inquiry.actions) return undefined;
    const body = { decisions: inquiry.actions.map(() => ({ type: 'approve' as const })) };
    const look = () => document.visibilityState === 'visible' && void prepare(inquiry, body);
    look();
    const timer = setInterval(look, AGAIN_MS);
    return () => clearInterval(timer);
  }, [inquiry.id, can]);
}
