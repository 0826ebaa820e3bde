import './decisions.css';
import type { Decision } from '#shared/answer.ts';
import { callName } from '#shared/call-name/name.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { language } from '../../ui/language.ts';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { type ArgChange, editedCall } from '../calls/changes.ts';
import { Name } from '../view/Title.tsx';
import { wordsWith } from './said.ts';
import { verbWords } from './verbs.ts';

/** What was decided of each call: the verb, the call by its name, and of an edited one what changed. */
export function Decisions({ inquiry, decisions }: { inquiry: Inquiry; decisions: readonly Decision[] }) {
  const all = decisions.map((decision, at) => <Decided key={at} {...{ inquiry, at, decision }} />);
  if (all.length === 1) return <div class="decided">{all}</div>;
  return (
    <ol class="decided">
      {all.map((one, at) => (
        <li key={at}>{one}</li>
      ))}
    </ol>
  );
}

function Decided({ inquiry, at, decision }: { inquiry: Inquiry; at: number; decision: Decision }) {
  const words = verbWords();
  const action = inquiry.actions?.[at];
  if (!action) return null;
  const edited = editedCall(inquiry, at, decision);
  const verb = { approve: words.approved, edit: words.edited, reject: words.rejected, respond: words.replied };
  const name = callName(edited?.action ?? action, language.value, edited?.argsText ?? inquiry.argsText?.[at]);
  return (
    <>
      <p class="rec" dir="auto">
        <b>{verb[decision.type]}</b> <Name parts={name.parts} />
      </p>
      {edited && <Changes changed={edited.changed} />}
      {edited && edited.same.length > 0 && <Same same={edited.same} />}
      {wordsWith(action, decision).map((said) => (
        <p key={said} class="rec-say" dir="auto">
          <UntrustedText text={said} />
        </p>
      ))}
    </>
  );
}

/** Each argument that differs: what was asked for struck, what took its place underlined. */
export function Changes({ changed }: { changed: ArgChange[] }) {
  const words = verbWords();
  return (
    <dl class="edits">
      {changed.map(({ name, before, after }) => (
        <div key={name}>
          <dt>
            <UntrustedText text={name} exact />
          </dt>
          <dd dir="auto">
            {before !== undefined && (
              <del>
                <span class="sr">{words.removed}</span>
                <UntrustedText text={before} exact />
              </del>
            )}{' '}
            {after !== undefined && (
              <ins>
                <span class="sr">{words.added}</span>
                <UntrustedText text={after} exact />
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Same({ same }: { same: ArgChange[] }) {
  const words = verbWords();
  return (
    <details class="stays">
      <summary>
        {words.stays(same.length)}
        <span class="link">{words.showAll}</span>
      </summary>
      <dl class="edits">
        {same.map(({ name, after = '' }) => (
          <div key={name}>
            <dt>
              <UntrustedText text={name} exact />
            </dt>
            <dd dir="auto">
              <UntrustedText text={after} exact />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
