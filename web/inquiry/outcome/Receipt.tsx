import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { By } from '#shared/answer.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { copyText } from '../../app/browser/copy.ts';
import { call } from '../../live/api.ts';
import { Quiet } from '../../ui/Button.tsx';
import { now } from '../../ui/clock.ts';
import { language } from '../../ui/language.ts';
import { moment } from '../../ui/times.ts';
import { Fact } from '../view/About.tsx';
import { Decisions } from './Decisions.tsx';
import { receiptWords } from './receiptWords.ts';

/** The claims that are shown; the page takes them as the hub says them, whose people it trusts anyway. */
type Claims = { exp?: number; shown: string; authorization_details: { shown?: string; run?: string }[] };

/** The signed statement of a decision, read when it is looked at; nothing where nobody decided. */
export function Receipt({ inquiry }: { inquiry: Inquiry }) {
  const words = receiptWords();
  const receipt = useSignal<string | undefined>(undefined);
  const said = useSignal('');
  const { id, resolution, collectedAt } = inquiry;
  useEffect(() => {
    void call<{ receipt: string }>('GET', `/v1/inquiries/${id}/receipt`).then(
      ({ ok }) => (receipt.value = ok?.receipt),
    );
  }, [id]);
  const text = receipt.value;
  if (text === undefined || !resolution) return null;
  const claims = readClaims(text);
  const decisions = resolution.answer?.decisions;
  const [only, ...more] = claims.authorization_details;
  const runs = claims.authorization_details.flatMap(({ run }) => run ?? []);
  const at = (instant: number) => moment(instant, now.value, language.value);
  const copy = async () => {
    said.value = (await copyText(text)) ? words.copied : words.notCopied;
  };
  return (
    <section aria-label={words.title}>
      <dl class="facts">
        <Fact name={words.title}>{sayValidity(claims.exp, now.value)}</Fact>
        {decisions && (
          <Fact name={words.of}>
            <Decisions {...{ inquiry, decisions }} />
          </Fact>
        )}
        <Fact name={words.by}>{visible(sayBy(resolution.by))}</Fact>
        {collectedAt !== undefined && <Fact name={words.pickedUp}>{at(Date.parse(collectedAt))}</Fact>}
        <Fact name={words.shown}>
          <Digest of={(more.length === 0 && only?.shown) || claims.shown} />
        </Fact>
        {runs.length > 0 && (
          <Fact name={words.run}>
            {runs.map((run, place) => (
              <Digest key={place} of={run} />
            ))}
          </Fact>
        )}
      </dl>
      <p class="say links">
        <Quiet onPress={() => void copy()}>{words.copy}</Quiet>
        <a class="quiet" href="/docs" target="_blank" rel="noreferrer">
          <span class="link">{words.how}</span>
        </a>
      </p>
      <p class="dim" role="status">
        {said.value}
      </p>
    </section>
  );
}

/** Until when what was approved may run; nothing where nothing may. */
function sayValidity(exp: number | undefined, instant: number): string {
  const words = receiptWords();
  if (exp === undefined) return words.signed;
  const end = moment(exp * 1000, instant, language.value);
  return instant < exp * 1000 ? words.until(end) : words.ended(end);
}

function Digest({ of }: { of: string }) {
  return (
    <div title={of}>
      <code>{`sha-256 ${of.slice(0, 4)}…${of.slice(-4)}`}</code>
    </div>
  );
}

function sayBy(by: By): string {
  if (by.kind !== 'person') return by.label;
  return receiptWords().on(by.handle, by.device.name, by.amr?.some((how) => /^[hs]wk$/.test(how)) ?? false);
}

function readClaims(text: string): Claims {
  const [, payload = ''] = text.split('.');
  const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes)) as Claims;
}
