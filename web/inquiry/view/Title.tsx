import { Fragment } from 'preact';
import { useMemo } from 'preact/hooks';
import { calledParts, isUntitled, titleParts, titleText } from '#shared/call-name/name.ts';
import { cutName, type NamePart, plainName } from '#shared/call-name/parts.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { isBlank } from '#shared/visible.ts';
import { language } from '../../ui/language.ts';
import { Inline, UntrustedText } from '../../ui/UntrustedText.tsx';

// What a machine reads has no spaces to break at; no engine breaks a path or a camelCase name between its words.
const WORD = /(?<=[/._:=&?-])(?=[\p{L}\p{N}])|(?<=\p{Ll})(?=\p{Lu})/u;

// As many characters of a heading have room beside each other on the smallest phone.
const WHOLE = 16;

// More of a call never fits on a line.
const CALLED_MAX = 300;

type Titled = Pick<Inquiry, 'title' | 'prompt' | 'actions' | 'argsText'>;

/** What an inquiry is called: its sender's title, of calls as a quotation, else the name of its calls, of which a row with `max` characters shows both ends. */
export function Title({ inquiry, max }: { inquiry: Titled; max?: number }) {
  const spoken = language.value;
  const parts = useMemo(() => {
    const all = titleParts(inquiry, spoken);
    return max === undefined ? all : cutName(all, max);
  }, [inquiry, spoken, max]);
  if (isUntitled(inquiry) || isBlank(inquiry.title)) return <Name parts={parts} />;
  const own = <Inline text={inquiry.title} />;
  return inquiry.actions ? <q>{own}</q> : own;
}

/** Below a sender's own title: what its calls do, on one line. */
export function Called({ inquiry }: { inquiry: Titled }) {
  const spoken = language.value;
  const parts = useMemo(() => calledParts(inquiry, spoken), [inquiry, spoken]);
  return parts ? <Ends text={plainName(parts, CALLED_MAX)} /> : null;
}

/** One line of which both ends are read, however narrow it is. */
export function Ends({ text }: { text: string }) {
  const [, head, tail] = /^(.{10,}?)(\s\S.{4,13}|.{12})$/u.exec(text) ?? [0, text];
  return (
    <code class="ends" dir="ltr">
      <span>{head}</span>
      {tail && <span>{tail}</span>}
    </code>
  );
}

/** A call's name: words as words, and what a machine reads as code. */
export function Name({ parts }: { parts: NamePart[] }) {
  return (
    <>
      {parts.map(({ text, code }, at) =>
        code ? (
          <code key={at}>
            {text.split(/(\s+)/).map((token, place) => (
              <Token key={place} text={token} />
            ))}
          </code>
        ) : (
          <UntrustedText key={at} text={text} />
        ),
      )}
    </>
  );
}

/** A part of a call between two spaces, which stays in one line where any line has room for it. */
function Token({ text }: { text: string }) {
  if (text.trim() === '') return text;
  if (text.length <= WHOLE)
    return (
      <span class="tie">
        <UntrustedText exact text={text} />
      </span>
    );
  return text.split(WORD).map((word, place) => (
    <Fragment key={place}>
      {place > 0 && <wbr />}
      <UntrustedText exact text={word} />
    </Fragment>
  ));
}

/** The same as text, for places that take only text. */
export function titleOf(inquiry: Titled): string {
  return titleText(inquiry, language.value);
}

/** The language a title is set in: the run's own where its sender wrote it, else this page's. */
export function titleLang(inquiry: Inquiry): string | undefined {
  if (isUntitled(inquiry)) return language.value;
  return inquiry.context?.language ?? (/\p{Script=Han}/u.test(inquiry.title) ? 'zh' : undefined);
}
