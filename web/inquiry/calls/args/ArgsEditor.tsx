import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Action } from '#shared/inquiry.ts';
import { Lines } from '../../../ui/Lines.tsx';
import { Quiet } from '../../../ui/Button.tsx';
import { jsonFault } from '../../reply/json.ts';
import { FaultHint } from '../../view/Bar.tsx';
import { dialogWords } from '../../words.ts';
import { callWords } from '../words.ts';
import { Nodes } from './Nodes.tsx';
import type { Picked } from './nodes.ts';
import { argsFaults, argsNodes, isSameJson, nodesNow } from './fields.ts';

type EditorProps = {
  action: Action;
  /** The arguments as they came, and as they are now. */
  asked: string;
  argsText: string;
  tried: boolean;
  onWrite: (argsText: string) => void;
  onPutBack: () => void;
};

/** The arguments of a call to be changed: as fields where their schema says what they are, or where they are flat; as JSON where not or where it is wanted. */
export function ArgsEditor(props: EditorProps) {
  const { action, asked, argsText, tried, onWrite, onPutBack } = props;
  const { call } = dialogWords();
  const words = callWords();
  const mayForm = useMemo(() => argsNodes(action, asked) !== undefined, [action, asked]);
  const asJson = useSignal(!mayForm || argsNodes(action, argsText) === undefined);
  const unchanged = isSameJson(argsText, asked);
  const picked = useSignal<Picked>(new Map());
  const form = asJson.value ? undefined : nodesNow(action, asked, argsText, picked.value);
  const malformed = jsonFault(argsText);
  const faults = malformed ? [{ code: malformed, params: {} }] : form ? [] : argsFaults(action, asked, argsText);
  return (
    <>
      <div class="label">
        <span>{form ? words.editFields : words.editAsk}</span>
        {!unchanged && <Quiet onPress={onPutBack}>{words.putBack}</Quiet>}
      </div>
      {form ? (
        <div class="args">
          <Nodes
            nodes={form}
            {...{ asked, argsText, tried, onWrite }}
            onPick={(place, one) => (picked.value = new Map(picked.value).set(place, one))}
          />
        </div>
      ) : (
        <Lines
          label={words.editAsk}
          value={argsText}
          code
          rows={6}
          suggested={unchanged}
          wrong={tried && faults.length > 0}
          onWrite={onWrite}
        />
      )}
      {tried && faults.map((fault) => <FaultHint key={JSON.stringify(fault)} fault={fault} />)}
      {mayForm && (!asJson.value || argsNodes(action, argsText)) && (
        <Quiet onPress={() => (asJson.value = !asJson.value)}>{asJson.value ? call.asForm : call.asJson}</Quiet>
      )}
    </>
  );
}
