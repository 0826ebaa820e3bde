import { useMemo } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import { copyText } from '../../app/browser/copy.ts';
import { entries, keep } from '../../live/store.ts';
import { say } from '../../ui/language.ts';
import { Quiet } from '../../ui/Button.tsx';
import { go } from '../../ui/place.ts';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { Title } from '../../inquiry/view/Title.tsx';
import { sharedInto } from './sharedInto.ts';

const words = {
  en: {
    title: 'Which question does it answer?',
    none: 'Nothing waits that these words could answer.',
    nothing: 'Nothing came with what was shared.',
    draft: 'It becomes the draft of your answer. Nothing is sent before you send it.',
    copy: 'Copy it',
    toInbox: 'Go to the inbox',
  },
  zh: {
    title: '用它答复哪个问题？',
    none: '现在没有可以用这些内容答复的问题。',
    nothing: '没有收到分享的内容。',
    draft: '它会成为你答复的草稿。你发送之前，什么都不会送出。',
    copy: '复制',
    toInbox: '前往收件箱',
  },
};

/** What another app shared into this one: it becomes the draft of the inquiry that the person picks. */
export function Shared() {
  const t = say(words);
  const text = useMemo(takeShared, []);
  const fitting = entries.value.flatMap(({ inquiry, resolution, own, sending }) => {
    const content = resolution || sending || text === '' ? undefined : sharedInto(inquiry, own, text);
    return content ? [{ inquiry, content }] : [];
  });
  const head = text === '' ? t.nothing : fitting.length === 0 ? t.none : t.title;
  return (
    <main class="page" id="open">
      <section class="panel">
        <div class="note">
          <h1 class="ask">{head}</h1>
          {text !== '' && (
            <p class="quote" dir="auto">
              {visible(text)}
            </p>
          )}
          {fitting.length > 0 && <p class="hint">{t.draft}</p>}
        </div>
        <ul class="entries entries--plain" hidden={fitting.length === 0}>
          {fitting.map(({ inquiry, content }) => (
            <li key={inquiry.id}>
              <button
                type="button"
                class="share-to"
                onClick={() => {
                  keep(inquiry.id, content);
                  go(`/i/${inquiry.id}`, 'replace');
                }}
              >
                <small>
                  <UntrustedText text={inquiry.source.name} />
                </small>
                <Title inquiry={inquiry} max={64} />
              </button>
            </li>
          ))}
        </ul>
        <div class="reply bar-also">
          {text !== '' && <Quiet onPress={() => void copyText(text)}>{t.copy}</Quiet>}
          <a class="quiet" href="/">
            <span class="link">{t.toInbox}</span>
          </a>
        </div>
      </section>
    </main>
  );
}

// Taken out of the address, so that it is not there for the next who looks at the history of this browser.
function takeShared(): string {
  const query = new URLSearchParams(location.search);
  if (location.search !== '') history.replaceState(history.state, '', '/share');
  const parts = ['title', 'text', 'url'].map((name) => query.get(name)?.trim() ?? '').filter((part) => part !== '');
  return [...new Set(parts)].join('\n');
}
