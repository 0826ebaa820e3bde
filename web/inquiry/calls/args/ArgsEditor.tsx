import type { Ref } from 'preact';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Action } from '#shared/inquiry.ts';
import { Lines } from '../../../ui/Lines.tsx';
import { Quiet } from '../../../ui/Button.tsx';
import { visible } from '#shared/visible.ts';
import { faultWords } from '../../reply/faultWords.ts';
import { jsonFault } from '../../reply/json.ts';
import { dialogWords } from '../../words.ts';
import { isSameJson } from '../same.ts';
import { argsFaults, argsNodes, nodesNow } from './fields.ts';
import { Nodes } from './Nodes.tsx';

type EditorProps = {
  action: Action;
  /** The arguments as they came, and as they are now. */
  asked: string;
  argsText: string;
  tried: boolean;
  onWrite: (argsText: string) => void;
  onPutBack: () => void;
  linesRef?: Ref<HTMLTextAreaElement>;
};

/** The arguments of a call to be changed: as fields where their schema says what they are, or where they are flat; as JSON where not or where it is wanted. */
export function ArgsEditor(props: EditorProps) {
  const { action, asked, argsText, tried, onWrite, onPutBack, linesRef } = props;
  const { call } = dialogWords();
  const words = dialogWords();
  const mayForm = useMemo(() => argsNodes(action, asked) !== undefined, [action, asked]);
  const asJson = useSignal(!mayForm || argsNodes(action, argsText) === undefined);
  const unchanged = isSameJson(argsText, asked);
  const form = asJson.value ? undefined : nodesNow(action, asked, argsText);
  const malformed = jsonFault(argsText);
  const faults = malformed ? [{ code: malformed, params: {} }] : form ? [] : argsFaults(action, asked, argsText);
  return (
    <>
      <div class="label">
        <span>{form ? call.editFields : call.editAsk}</span>
        {!unchanged && <Quiet onPress={onPutBack}>{call.putBack}</Quiet>}
      </div>
      {form ? (
        <div class="args">
          <Nodes nodes={form} {...{ asked, argsText, tried, onWrite }} />
        </div>
      ) : (
        <Lines
          label={call.editAsk}
          value={argsText}
          code
          rows={6}
          suggested={unchanged}
          wrong={tried && faults.length > 0}
          onWrite={onWrite}
          {...(linesRef ? { linesRef } : {})}
        />
      )}
      {tried &&
        faults.map((fault) => (
          <p key={JSON.stringify(fault)} class="hint is-wrong" role="alert">
            {'field' in fault && `${visible(fault.field, true)}: `}
            {faultWords(words, fault)}
          </p>
        ))}
      {mayForm && (!asJson.value || argsNodes(action, argsText)) && (
        <Quiet onPress={() => (asJson.value = !asJson.value)}>{asJson.value ? call.asForm : call.asJson}</Quiet>
      )}
    </>
  );
}
