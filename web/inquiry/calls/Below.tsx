import { Icon } from '../../ui/Icon.tsx';
import { Quiet } from '../../ui/Button.tsx';
import { say } from '../../ui/language.ts';
import type { Action } from '#shared/inquiry.ts';
import { dialogWords } from '../words.ts';
import { toFiles } from './diff.ts';
import type { Missing, Sight } from './useSight.ts';

/** Says above the buttons what of the calls was not on the screen yet; pressed, it goes there. */
export function Below({ sight }: { sight: Sight }) {
  if (sight.missing.length === 0) return null;
  return (
    <div class="below-row">
      <button type="button" class="below" onClick={sight.show}>
        <span>{belowWords(sight)}</span>
        <Icon name="down" />
      </button>
      {sight.missing.some(({ far }) => far) && <Quiet onPress={sight.showAll}>{seenWords().all}</Quiet>}
    </div>
  );
}

/** What an approval waits for, to stand on its button. */
export function sayAfter({ waits, lacksEnd }: Sight, { caution }: Action): string | undefined {
  const { call } = dialogWords();
  return waits ? (caution || lacksEnd ? call.afterEnd : call.afterCall) : undefined;
}

function belowWords({ missing, inquiry }: Sight): string {
  const seen = seenWords();
  const actions = inquiry.actions ?? [];
  // Of several calls one that was passed unread is named as a whole.
  const whole = missing.filter(
    ({ kind, below, call }, at) =>
      (kind === 'name' || (!below && actions.length > 1)) && missing.findIndex((one) => one.call === call) === at,
  );
  const rest = missing.filter(({ call }) => !whole.some((name) => name.call === call));
  const [first] = rest;
  const said: string[] = [];
  if (first) {
    const files = toFiles(actions[first.call]?.diff).length;
    const unseen = rest.filter(({ call }) => call === first.call);
    said.push(first.kind === 'file' && files > 1 ? seen.files(unseen.length, files) : sayLines(first));
    if (actions.length > 1) said.push(seen.inCall(first.call + 1));
  }
  const [only, another] = whole;
  const calls = another
    ? seen.calls(whole.length, actions.length)
    : only && (only.below ? seen.callBelow : seen.callAbove)(only.call + 1, actions.length);
  return [said.join(''), calls].filter(Boolean).join(seen.and);

  function sayLines({ below, lines }: Missing): string {
    return below ? seen.lines(lines) : seen.above;
  }
}

const en = {
  lines: (lines: number) => `${lines} more ${lines === 1 ? 'line' : 'lines'}`,
  mark: 'seen',
  all: 'Show all, go to the end',
  atLine: (place: number) => `line ${place}: `,
  above: 'more above',
  inCall: (call: number) => ` in call ${call}`,
  files: (count: number, of: number) => `${count} of ${of} files not seen`,
  calls: (count: number, of: number) => `${count} of ${of} calls not seen`,
  callBelow: (call: number, of: number) => (of === 1 ? 'the call is below' : `call ${call} of ${of} below`),
  callAbove: (call: number, of: number) => (of === 1 ? 'the call is above' : `call ${call} of ${of} above`),
  and: ', ',
};

const zh: typeof en = {
  lines: (lines) => `还有 ${lines} 行`,
  mark: '已看',
  all: '全部展开，到末尾',
  atLine: (place) => `第 ${place} 行：`,
  above: '上面还有',
  inCall: (call) => `，在第 ${call} 个调用`,
  files: (count, of) => `${of} 个文件有 ${count} 个未看`,
  calls: (count, of) => `${of} 个调用有 ${count} 个未看`,
  callBelow: (call, of) => (of === 1 ? '调用在下面' : `第 ${call} 个调用在下面`),
  callAbove: (call, of) => (of === 1 ? '调用在上面' : `第 ${call} 个调用在上面`),
  and: '，',
};

/** What is said of what was seen of a call, and of what was not. */
export const seenWords = () => say({ en, zh });
