import { useMemo } from 'preact/hooks';
import { isDestructive } from '#shared/call-name/destructive.ts';
import type { NamePart } from '#shared/call-name/parts.ts';
import type { Action, Inquiry } from '#shared/inquiry.ts';
import { Quiet } from '../../ui/Button.tsx';
import type { Language } from '../../ui/language.ts';
import { UntrustedText } from '../../ui/UntrustedText.tsx';
import { isCautious, type Reply } from '../reply/state.ts';
import { Name } from '../view/Title.tsx';
import { dialogWords } from '../words.ts';
import { callWords } from './words.ts';
import { readName } from './CallCard.tsx';
import { allMay, decide, plainChoices, putBack } from './deciding.ts';

type LineProps = {
  inquiry: Inquiry;
  action: Action;
  at: number;
  line: Line;
  isRejected: boolean;
  opened: boolean;
  onOpen: () => void;
  onChange: (update: (reply: Reply) => Reply) => void;
};

/** A call in one line that says all of it; pressed, it opens, and beside it stands what rejects it or takes that back. */
export function CallLine({
  inquiry,
  action,
  at,
  line: { parts, begins },
  isRejected,
  opened,
  onOpen,
  onChange,
}: LineProps) {
  const { call } = dialogWords();
  const words = callWords();
  const destructive = useMemo(() => isDestructive(action), [action]);
  const option = plainChoices(action).find(({ type }) => type === 'reject');
  const reject = (before: Reply): Reply =>
    decide(before, at, { type: 'reject', ...(option ? { optionId: option.id } : {}) });
  return (
    <>
      {/* The first of its tool is read with the name of the tool, which stands above it. */}
      <div class={isRejected ? 'call-line is-not' : 'call-line'} data-part={begins ? undefined : `${at}.name`}>
        <h2 class="call-say">
          <span class="num">{at + 1}</span>
          <button type="button" aria-expanded={opened} onClick={onOpen}>
            <span data-part={`${at}.args`}>
              <Name parts={parts} />
            </span>
          </button>
        </h2>
        {isRejected ? (
          <Quiet label={words.undoCall(at + 1)} onPress={() => onChange((before) => putBack(inquiry, before, at))}>
            {words.undo}
          </Quiet>
        ) : (
          <Quiet label={words.rejectCall(at + 1)} onPress={() => onChange(reject)}>
            {call.reject}
          </Quiet>
        )}
      </div>
      {destructive && <p class="call-risk">{call.destructive}</p>}
    </>
  );
}

/** Above the first of the lines of a tool: its exact name, and how many follow. */
export function ToolHead({ tool, count, at }: { tool: string; count: number; at: number }) {
  return (
    <li class="call-tool" data-part={`${at}.name`}>
      <code>
        <UntrustedText exact text={tool} />
      </code>{' '}
      <small>{callWords().callCount(count)}</small>
    </li>
  );
}

export type Line = {
  parts: NamePart[];
  /** How many lines of one tool follow each other, for the first of them. */
  begins: number | undefined;
};

/** Which of the calls are a line: what that says all of, and may be approved or rejected; with caution none. */
export function listLines(inquiry: Inquiry, spoken: Language): (Line | undefined)[] {
  const { actions = [] } = inquiry;
  const named = actions.map((action, at) => {
    const name = readName(inquiry, at, spoken);
    const plain = allMay([action], 'approve') && allMay([action], 'reject') && !isCautious(inquiry);
    return name?.said && plain ? { parts: name.parts, tool: action.name } : undefined;
  });
  return named.map((line, at) => {
    if (!line || named[at - 1]?.tool === line.tool) return line && { parts: line.parts, begins: undefined };
    const end = named.findIndex((one, place) => place > at && one?.tool !== line.tool);
    return { parts: line.parts, begins: (end < 0 ? named.length : end) - at };
  });
}
