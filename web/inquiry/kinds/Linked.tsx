import { useSignal } from '@preact/signals';
import { Button } from '../../ui/Button.tsx';
import { visible } from '#shared/visible.ts';
import { headlineOf } from '../headline.ts';
import { Bar } from '../view/Bar.tsx';
import { Margin } from '../view/Facts.tsx';
import { Note } from '../view/Note.tsx';
import { useKeys } from '../useKeys.ts';
import { dialogWords } from '../words.ts';
import { linkWords } from './words.ts';
import type { KindProps } from './kind.ts';
import { Refused } from './Refused.tsx';

/** An inquiry that leads to another page: its host is shown large, and nothing is fetched before the person goes there. */
export function Linked({ inquiry, answering, elsewhere, extension, decline, onMore, onEscape, onHelp }: KindProps) {
  const words = dialogWords();
  const link = linkWords();
  const gone = useSignal(false);
  const { url = '', completes } = inquiry.link ?? {};
  const send = () => void answering.send();
  useKeys({ n: decline.press, escape: onEscape, help: onHelp });
  const open = (
    <a
      class={gone.value ? 'button button--line' : 'button button--do'}
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      onClick={() => (gone.value = true)}
    >
      <span class={gone.value ? undefined : 'full'}>{gone.value ? link.openAgain : link.open}</span>
      <span class="sr">({link.newTab})</span>
    </a>
  );
  return (
    <>
      <Note inquiry={inquiry} {...headlineOf(inquiry)}>
        {elsewhere}
        <figure class="call-card">
          <figcaption>{link.leads}</figcaption>
          <div class="link-host">
            <strong>{URL.canParse(url) ? new URL(url).host : visible(url)}</strong>
            <code>{visible(url, true)}</code>
          </div>
        </figure>
      </Note>
      <Margin inquiry={inquiry} />
      <section class="reply" aria-label={words.yourAnswer}>
        <p class="hint">{completes === 'external' ? link.external(visible(inquiry.source.name)) : link.self}</p>
      </section>
      <Refused problem={answering.problem} />
      <Bar also={extension} onMore={onMore}>
        {!gone.value && (
          <Button look="line" onPress={decline.press} cap="n">
            {decline.say}
          </Button>
        )}
        {open}
        {gone.value && (
          <Button onPress={send} waits={answering.busy}>
            {link.done}
          </Button>
        )}
      </Bar>
    </>
  );
}
