import './history.css';
import { useState } from 'preact/hooks';
import type { AnswerContent, By, Decision, LateAnswer, Resolution } from '#shared/answer.ts';
import { callName, isUntitled } from '#shared/call-name/name.ts';
import { cutName, plainName } from '#shared/call-name/parts.ts';
import type { Inquiry } from '#shared/inquiry.ts';
import { saidIn } from '#shared/text.ts';
import { endedUnused } from '#shared/validity.ts';
import { visible } from '#shared/visible.ts';
import { sayAskedToo } from '../inquiry/view/asked-too.ts';
import { editedCall } from '../inquiry/calls/changes.ts';
import { Changes } from '../inquiry/outcome/Decisions.tsx';
import { answerLines, decisionWords } from '../inquiry/outcome/said.ts';
import { countDecisions, decisionVerb, type Verb, verbOf, verbWords } from '../inquiry/outcome/verbs.ts';
import { Ends, Name, Title } from '../inquiry/view/Title.tsx';
import { sayApprovers } from '../hands/words.ts';
import { askerName } from '../live/inquiries.ts';
import { me } from '../live/session.ts';
import { now } from '../ui/clock.ts';
import { Icon, type IconName } from '../ui/Icon.tsx';
import { language } from '../ui/language.ts';
import { Mark, type MarkName } from '../ui/Mark.tsx';
import { clockTime } from '../ui/times.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { PlainRow } from '../inbox/PlainRow.tsx';
import { Boundary } from '../ui/Boundary.tsx';
import { Found } from '../inbox/many/Found.tsx';
import { Behind } from './Behind.tsx';
import { search } from './search.ts';
import { historyWords } from './words.ts';

const NAME_MAX = 90;
const SAID_MAX = 300;
const LINES_MAX = 5;

const DRAWN: Record<Verb, { mark: MarkName } | { icon: IconName }> = {
  approved: { mark: 'tick' },
  answered: { mark: 'tick' },
  rejected: { icon: 'close' },
  declined: { icon: 'close' },
  withdrawn: { mark: 'dash' },
  missed: { icon: 'clock' },
  leftToAgent: { mark: 'dash' },
  unanswered: { mark: 'dash' },
  notPickedUp: { icon: 'gone' },
};

type RecordProps = { alike: readonly Inquiry[]; whole?: boolean };

/** One record of the history: several calls alike are one, which opens to all of them. */
export function Record(props: RecordProps) {
  const [first] = props.alike;
  return first ? (
    <Boundary
      of={first}
      otherwise={
        <li>
          <PlainRow inquiry={first} />
        </li>
      }
    >
      <Drawn {...props} />
    </Boundary>
  ) : null;
}

function Drawn({ alike, whole }: RecordProps) {
  const words = historyWords();
  const [open, setOpen] = useState(false);
  const [first] = alike;
  if (!first?.resolution) return null;
  const drawn = DRAWN[verbOf(first)];
  const { at, by } = first.resolution;
  const several = alike.length > 1;
  return (
    <>
      <li class={by.kind === 'policy' || by.kind === 'decider' ? 'is-auto' : undefined}>
        {'mark' in drawn ? <Mark name={drawn.mark} /> : <Icon name={drawn.icon} />}
        <div>
          <What inquiry={first} count={alike.length} />
          {!several && <Said inquiry={first} />}
          <div class="rec-by">
            {whole ? <Behind inquiry={first} line={byLine(first)} /> : <p>{byLine(first)}</p>}
            {several && (
              <button type="button" class="inl" aria-expanded={open} onClick={() => setOpen(!open)}>
                {words.showAll(alike.length)}
              </button>
            )}
          </div>
          {!several && <Others inquiry={first} />}
        </div>
        <time dateTime={at}>{clockTime(Date.parse(at))}</time>
      </li>
      {open && alike.map((one) => <Record key={one.id} alike={[one]} whole={whole ?? false} />)}
    </>
  );
}

/** The verb and what it was about; an edited call by what may run, below the title of its sender. */
function What({ inquiry, count }: { inquiry: Inquiry; count: number }) {
  const decision = inquiry.resolution?.answer?.decisions?.[0];
  const edited = inquiry.actions?.length === 1 ? editedCall(inquiry, 0, decision) : undefined;
  const parts = edited && callName(edited.action, language.value, edited.argsText).parts;
  const untitled = isUntitled(inquiry);
  return (
    <>
      <h4 class="rec" dir="auto">
        <b>{verbWords()[verbOf(inquiry)]}</b> {count > 1 && historyWords().like(count)}
        <a href={`/i/${inquiry.id}`}>
          {parts && untitled ? <Name parts={cutName(parts, NAME_MAX)} /> : <Title inquiry={inquiry} max={NAME_MAX} />}
        </a>
      </h4>
      {parts && !untitled ? (
        <Ends text={plainName(parts, SAID_MAX)} />
      ) : (
        <Found inquiry={inquiry} find={search.value.words} max={NAME_MAX} />
      )}
    </>
  );
}

/** What was answered, on a line of its own, in words of the person; of an edited call what changed. */
function Said({ inquiry }: { inquiry: Inquiry }) {
  const { resolution, actions = [] } = inquiry;
  if (!resolution) return null;
  const edited = actions.length === 1 && editedCall(inquiry, 0, resolution.answer?.decisions?.[0]);
  if (edited) return <Changes changed={edited.changed} />;
  if (resolution.outcome !== 'answered') return null;
  const { answer } = resolution;
  const mixed = actions.length > 1 && decisionVerb(inquiry) === 'answered';
  // Why it was rejected stands behind who did.
  const isReason = onlyDecision(resolution)?.type === 'reject';
  const words = isReason ? '' : ownWords(inquiry, answer, saidIn(resolution));
  const said = mixed ? countDecisions(answer?.decisions ?? []) : words;
  return said ? (
    <p class="rec-say" dir="auto">
      <UntrustedText text={cut(said)} />
    </p>
  ) : null;
}

/** What a person said or chose; of a call only the words with the decision. */
function ownWords(inquiry: Inquiry, answer: AnswerContent | undefined, text: string): string {
  const { actions } = inquiry;
  if (!actions) return (answer && answerLines(inquiry, answer, language.value)) || text;
  return actions.length === 1 ? decisionWords(actions, answer?.decisions ?? []).join(' ') : '';
}

/** Who was asked later, answers that did not decide, and that the platform did not take the one that did. */
function Others({ inquiry }: { inquiry: Inquiry }) {
  const words = historyWords();
  const { resolution, late = [], lost = [] } = inquiry;
  const reader = { own: me.value?.person.handle, now: now.value, language: language.value };
  const approvers = sayApprovers(inquiry, reader.own);
  const beaten = lost.filter(({ text, by }) => !late.some((one) => one.text === text && whoIs(one.by) === whoIs(by)));
  const say = ({ by, text, answer, at }: LateAnswer, isLate: boolean) => {
    const after = Date.parse(at) - Date.parse(resolution?.at ?? at);
    const line = isLate ? words.late(whoIs(by), deviceOf(by)) : words.beaten(whoIs(by), deviceOf(by), after);
    const said = cut(ownWords(inquiry, answer, text));
    return (
      <p key={at} class="rec-by" dir="auto">
        {line}
        {words.colon}
        {[countDecisions(answer.decisions ?? []), said && `“${visible(said)}”`].filter(Boolean).join(' ')}
      </p>
    );
  };
  return (
    <>
      {approvers && <p class="rec-by">{approvers}</p>}
      {sayAskedToo(inquiry, reader).map((line) => (
        <p key={line} class="rec-by">
          {line}
        </p>
      ))}
      {resolution?.validUntil !== undefined && endedUnused(inquiry, now.value) && (
        <p class="rec-by">{words.ended(Date.parse(resolution.validUntil), now.value)}</p>
      )}
      {inquiry.notTaken && <p class="rec-by">{words.notTaken(visible(inquiry.source.name))}</p>}
      {beaten.map((one) => say(one, false))}
      {late.map((one) => say(one, true))}
    </>
  );
}

/** By whom, from where and why, in the person's language. */
function byLine(inquiry: Inquiry): string {
  const words = historyWords();
  const { resolution, notPickedUp, actions } = inquiry;
  if (!resolution) return '';
  const who = decidedBy(inquiry, resolution);
  if (notPickedUp)
    return words.notPickedUp(
      verbWords()[decisionVerb(inquiry)],
      who,
      visible(askerName(inquiry)),
      actions !== undefined,
    );
  const { answer, message } = resolution;
  const reason = onlyDecision(resolution)?.type === 'reject' ? ownWords(inquiry, answer, '') : message;
  return reason ? `${who}${words.colon}“${visible(cut(reason))}”` : who;
}

function decidedBy(inquiry: Inquiry, resolution: Resolution): string {
  const words = historyWords();
  const { by, outcome, answer, at } = resolution;
  if (outcome === 'withdrawn')
    return words.withdrawn(visible(inquiry.source.name), Date.parse(at) - Date.parse(inquiry.openedAt));
  if (by.kind === 'policy') return by.ruleId.startsWith('yol_') ? words.yolo : words.byRule(visible(by.label));
  if (outcome === 'expired') {
    const urgent = inquiry.urgency === 'high' ? words.urgent : '';
    const proposal = answer ? words.proposal : '';
    return urgent + words.expired(inquiry.to.length, Date.parse(inquiry.deadlineAt), now.value) + proposal;
  }
  if (by.kind === 'decider') return words.byStandIn(visible(by.label));
  if (by.kind !== 'person') return words.by(visible(by.label), '');
  const changes = editedCall(inquiry, 0, onlyDecision(resolution))?.changed.length ?? 0;
  return words.by(whoIs(by), visible(by.device.name)) + words.via[by.via] + (changes > 0 ? words.changes(changes) : '');
}

function onlyDecision({ answer }: Resolution): Decision | undefined {
  return answer?.decisions?.length === 1 ? answer.decisions[0] : undefined;
}

function whoIs(by: By): string {
  if (by.kind !== 'person') return visible(by.label);
  return by.handle === me.value?.person.handle ? historyWords().you : visible(by.handle);
}

function deviceOf(by: By): string {
  return by.kind === 'person' ? visible(by.device.name) : '';
}

function cut(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const short = lines.length > LINES_MAX ? `${lines.slice(0, LINES_MAX).join('\n')} …` : lines.join('\n');
  return short.length > SAID_MAX ? `${short.slice(0, SAID_MAX).trimEnd()}…` : short;
}
