import { ArgsEditor } from './args/ArgsEditor.tsx';
import { ownChoices } from '#shared/fit.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { Lines } from '../../ui/Lines.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { visible } from '#shared/visible.ts';
import type { ReplyFault } from '../reply/faults.ts';
import { faultWords } from '../reply/faultWords.ts';
import { argsTextOf, type CallReply, type Reply } from '../reply/state.ts';
import type { Sight } from '../visibility/useSight.ts';
import { dialogWords } from '../words.ts';
import { type Decided, decide, plainChoices, putBack } from './deciding.ts';
import { NumberedCall } from './CallCard.tsx';

type BatchProps = {
  inquiry: Inquiry;
  sight: Sight;
  reply: Reply;
  faults: ReplyFault[];
  tried: boolean;
  onChange: (update: (reply: Reply) => Reply) => void;
};

/** Several calls, numbered, each shown whole and with its own decision. */
export function Batch({ inquiry, sight, reply, faults, tried, onChange }: BatchProps) {
  const words = dialogWords();
  return (
    <section class="reply" aria-label={words.yourAnswer}>
      <ol class="calls">
        {(inquiry.actions ?? []).map((action, at) => {
          const call = reply.calls[at];
          const fault = faults.find((one) => one.at === String(at));
          return (
            <li key={at} id={`call-${at}`} tabIndex={-1}>
              <NumberedCall {...{ inquiry, at, sight }} />
              {call && (
                <Pick
                  action={action}
                  call={call}
                  at={at}
                  onPick={(decision) => onChange((before) => decide(before, at, decision))}
                />
              )}
              {call && <Own {...{ inquiry, call, at, tried, onChange }} wrong={fault !== undefined} />}
              {fault && call?.type !== 'edit' && (
                <p class="hint is-wrong" role="alert">
                  {faultWords(words, fault)}
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

function Pick({
  action,
  call,
  at,
  onPick,
}: {
  action: Action;
  call: CallReply;
  at: number;
  onPick: (decision: Decided) => void;
}) {
  const words = dialogWords();
  const choices: (Decided & { label: string })[] = [
    ...plainChoices(action).map(({ id, label, type }) => ({ type, optionId: id, label })),
    ...action.allowed
      .filter((type) => ownChoices(action, type).length === 0)
      .map((type) => ({ type, label: words.call.pick[type] })),
  ];
  return (
    <div class={call.own ? 'pick' : 'pick is-suggested'} role="radiogroup" aria-label={words.call.decision(at + 1)}>
      {choices.map(({ label, ...decision }) => (
        <label key={`${decision.type}${decision.optionId ?? ''}`}>
          <input
            type="radio"
            name={`call-${at}`}
            checked={call.type === decision.type && call.optionId === decision.optionId}
            onChange={() => onPick(decision)}
          />
          <Mark name="tick" />
          <UntrustedText exact text={label} />
        </label>
      ))}
    </div>
  );
}

/** What a person writes to one call: why not, in its place, or the arguments changed. */
function Own({
  inquiry,
  call,
  at,
  tried,
  wrong,
  onChange,
}: Pick<BatchProps, 'inquiry' | 'tried' | 'onChange'> & { call: CallReply; at: number; wrong: boolean }) {
  const words = dialogWords();
  const source = visible(inquiry.source.name);
  const write = (more: Partial<CallReply>) =>
    onChange((before) =>
      decide(before, at, { type: call.type ?? 'reject', ...(call.optionId ? { optionId: call.optionId } : {}) }, more),
    );
  const action = inquiry.actions?.[at];
  if (call.type === 'edit' && action) {
    return (
      <div class="call-own">
        <ArgsEditor
          {...{ action, tried }}
          asked={argsTextOf(inquiry, at)}
          argsText={call.argsText}
          onWrite={(argsText) => write({ argsText })}
          onPutBack={() => onChange((before) => putBack(inquiry, before, at))}
        />
      </div>
    );
  }
  if (call.type !== 'reject' && call.type !== 'respond') return null;
  const ask = call.type === 'reject' ? words.call.whyNotAsk(source) : words.call.respondAsk(source);
  return (
    <div class="call-own">
      <p class="label">{ask}</p>
      <Lines label={ask} value={call.message} rows={1} wrong={wrong} onWrite={(message) => write({ message })} />
    </div>
  );
}
