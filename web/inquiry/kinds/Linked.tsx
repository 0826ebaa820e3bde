import { useSignal } from '@preact/signals';
import { visible } from '#shared/visible.ts';
import { Button } from '../../ui/Button.tsx';
import { say } from '../../ui/language.ts';
import { readHeadline } from '../view/headline.ts';
import { Bar } from '../view/Bar.tsx';
import { Margin, Note } from '../view/Note.tsx';
import { useKeys } from '../view/keys.ts';
import { dialogWords } from '../words.ts';
import type { KindProps } from './kind.ts';

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
      <span class={gone.value ? undefined : 'full'}>{gone.value ? link.openAgain : link.open(shortHost(url))}</span>
      <span class="sr">({link.newTab})</span>
    </a>
  );
  return (
    <>
      <Note inquiry={inquiry} {...readHeadline(inquiry)}>
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
      <Bar also={extension} onMore={onMore} problem={answering.problem}>
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

/** A longer one stands above the button alone. */
const HOST_MAX = 32;

function shortHost(url: string): string | undefined {
  const host = URL.canParse(url) ? new URL(url).host : '';
  return host !== '' && host.length <= HOST_MAX ? host : undefined;
}

const en = {
  leads: 'It opens',
  open: (host: string | undefined) => `Open ${host ?? 'the page'}`,
  openAgain: 'Open it again',
  done: 'Done',
  self: 'When you are finished there, say so here.',
  external: (source: string) =>
    `${source} notices by itself when you are finished there. “Done” tells ${source} you finished.`,
  newTab: 'opens in a new tab',
};

const zh: typeof en = {
  leads: '它会打开',
  open: (host) => `打开${host === undefined ? '网页' : ` ${host}`}`,
  openAgain: '再打开一次',
  done: '完成',
  self: '在那边完成后，回到这里确认。',
  external: (source) => `在那边完成后，${source} 会自动得知。点“完成”会告知 ${source} 你已办完。`,
  newTab: '在新标签页打开',
};

/** The words of a question whose answer is given on another page. */
const linkWords = () => say({ en, zh });
