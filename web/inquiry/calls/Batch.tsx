import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { readArgsText } from '../../live/inquiries.ts';
import { ownChoices } from '#shared/fit.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { language } from '../../ui/language.ts';
import { Lines } from '../../ui/Lines.tsx';
import { Mark } from '../../ui/Mark.tsx';
import { type ReplyFault } from '../reply/faults.ts';
import type { CallReply, Reply } from '../reply/state.ts';
import { FaultHint } from '../view/Bar.tsx';
import { callWords } from './words.ts';
import { dialogWords } from '../words.ts';
import type { Keys } from '../view/keys.ts';
import { ArgsEditor } from './args/ArgsEditor.tsx';
import type { Sight } from './useSight.ts';
import { CallLine, type Line, listLines, ToolHead } from './CallLine.tsx';
import { decide, type Decided, plainChoices, putBack, sayOption } from './deciding.ts';
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
  const spoken = language.value;
  const lines = useMemo(() => listLines(inquiry, spoken), [inquiry.id, spoken]);
  return (
    <section class="reply" aria-label={words.yourAnswer}>
      <ol class="calls">
        {(inquiry.actions ?? []).map((action, at) => (
          <One
            key={at}
            {...{ inquiry, sight, action, at, tried, onChange }}
            line={lines[at]}
            call={reply.calls[at]}
            fault={faults.find((one) => one.at === String(at))}
          />
        ))}
      </ol>
    </section>
  );
}

type OneProps = Pick<BatchProps, 'inquiry' | 'sight' | 'tried' | 'onChange'> & {
  action: Action;
  at: number;
  line: Line | undefined;
  call: CallReply | undefined;
  fault: ReplyFault | undefined;
};

/** One of the calls: a line where that says all of it, which opens for what else can be decided; else whole below its name. */
function One({ inquiry, sight, action, at, line, call, tried, fault, onChange }: OneProps) {
  const opened = useSignal(false);
  const isRejected = call?.own === true && call.type === 'reject';
  const picks = !line || opened.value || fault || (call?.type !== undefined && !isRejected);
  return (
    <>
      {line?.begins && <ToolHead tool={action.name} count={line.begins} at={at} />}
      <li id={`call-${at}`} tabIndex={-1}>
        {line ? (
          <CallLine
            {...{ inquiry, action, at, line, isRejected }}
            opened={opened.value}
            onOpen={() => (opened.value = !opened.value)}
            onChange={onChange}
          />
        ) : (
          <NumberedCall {...{ inquiry, at, sight }} />
        )}
        {call && picks && (
          <Pick
            action={action}
            call={call}
            at={at}
            onPick={(decision) => onChange((before) => decide(before, at, decision))}
          />
        )}
        {call && <Own {...{ inquiry, call, at, tried, onChange }} wrong={fault !== undefined} />}
        {call?.type !== 'edit' && <FaultHint fault={fault} />}
      </li>
    </>
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
    ...plainChoices(action).map((option) => ({
      type: option.type,
      optionId: option.id,
      label: sayOption(action, option),
    })),
    ...action.allowed
      .filter((type) => ownChoices(action, type).length === 0)
      .map((type) => ({ type, label: words.call[type] })),
  ];
  return (
    <div class={call.own ? 'pick' : 'pick is-suggested'} role="radiogroup" aria-label={callWords().decision(at + 1)}>
      {choices.map(({ label, ...decision }) => (
        <label key={`${decision.type}${decision.optionId ?? ''}`}>
          <input
            type="radio"
            name={`call-${at}`}
            checked={call.type === decision.type && call.optionId === decision.optionId}
            onChange={() => onPick(decision)}
          />
          <Mark name="tick" />
          {label}
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
          asked={readArgsText(inquiry, at)}
          argsText={call.argsText}
          onWrite={(argsText) => write({ argsText })}
          onPutBack={() => onChange((before) => putBack(inquiry, before, at))}
        />
      </div>
    );
  }
  if (call.type !== 'reject' && call.type !== 'respond') return null;
  const ask = call.type === 'reject' ? callWords().whyNotAsk(source) : callWords().respondAsk(source);
  return (
    <div class="call-own">
      <p class="label">{ask}</p>
      <Lines label={ask} value={call.message} rows={1} wrong={wrong} onWrite={(message) => write({ message })} />
    </div>
  );
}

/**
 * The keys that decide the call that has the focus, or the first without a decision, and go on to the next; up and down
 * only go. Where a call may be replied to, no letter decides, and beside words that are open one is written into them.
 */
export function callKeys(
  actions: readonly Action[],
  reply: Reply,
  change: (update: (reply: Reply) => Reply) => void,
): Pick<Keys, 'y' | 'n' | 'e' | 'up' | 'down' | 'write'> {
  const pick = (type: NonNullable<CallReply['type']>, onward: boolean) => () => {
    const at = here(reply);
    const action = actions[at];
    if (!action) return;
    const own = ownChoices(action, type);
    const option = own.find(({ remember }) => remember === undefined);
    if (own.length > 0 ? !option : !action.allowed.includes(type)) return;
    change((before) => decide(before, at, { type, ...(option ? { optionId: option.id } : {}) }));
    if (onward) show(Math.min(at + 1, actions.length - 1));
    else
      requestAnimationFrame(() => callAt(at)?.querySelector<HTMLElement>('textarea, input:not([type=radio])')?.focus());
  };
  const step = (by: number) => () => {
    const focused = focusedCall();
    show(focused === undefined ? 0 : Math.min(Math.max(focused + by, 0), actions.length - 1));
  };
  const replies = actions.some(({ allowed }) => allowed.includes('respond'));
  return {
    ...(replies || reply.calls.some(hasWords) ? { write: () => writeBeside() || replies } : {}),
    y: pick('approve', true),
    n: pick('reject', true),
    e: pick('edit', false),
    up: step(-1),
    down: step(1),
  };
}

function hasWords({ type }: CallReply): boolean {
  return type !== undefined && type !== 'approve';
}

// True beside a decision that words are written to: they get the focus, but for arguments, of which none is meant more.
function writeBeside(): boolean {
  const call = callAt(focusedCall() ?? -1);
  const own = call === document.activeElement ? null : call?.querySelector('.call-own');
  own?.querySelector<HTMLElement>(':scope > textarea')?.focus();
  return own != null;
}

function here(reply: Reply): number {
  const first = reply.calls.findIndex(({ type }) => type === undefined);
  return focusedCall() ?? Math.max(first, 0);
}

function focusedCall(): number | undefined {
  const [, at] = /^call-(\d+)$/.exec(document.activeElement?.closest('li[id^=call-]')?.id ?? '') ?? [];
  return at === undefined ? undefined : Number(at);
}

function callAt(at: number): HTMLElement | null {
  return document.getElementById(`call-${at}`);
}

function show(at: number): void {
  callAt(at)?.focus({ preventScroll: true });
  callAt(at)?.scrollIntoView({ block: 'nearest' });
}
