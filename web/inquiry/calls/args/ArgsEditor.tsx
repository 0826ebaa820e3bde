import '../code.css';
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Action } from '#shared/inquiry.ts';
import { visible } from '#shared/visible.ts';
import { Lines } from '../../../ui/Lines.tsx';
import { Quiet } from '../../../ui/Button.tsx';
import { UntrustedText } from '../../../ui/UntrustedText.tsx';
import { jsonFault } from '../../reply/json.ts';
import { FaultHint } from '../../view/Bar.tsx';
import { dialogWords } from '../../words.ts';
import { FormFields } from '../../reply/form/FormFields.tsx';
import type { FormField } from '../../reply/form/schema.ts';
import type { Exact } from '../exact.ts';
import { argsFaults, argsNodes, argsRaw, isSameJson, nodesNow, withFields, withPlace } from './fields.ts';
import { type Node, type Place, parsePlace } from './nodes.ts';

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
        />
      )}
      {tried && faults.map((fault) => <FaultHint key={JSON.stringify(fault)} fault={fault} />)}
      {mayForm && (!asJson.value || argsNodes(action, argsText)) && (
        <Quiet onPress={() => (asJson.value = !asJson.value)}>{asJson.value ? call.asForm : call.asJson}</Quiet>
      )}
    </>
  );
}

type NodesProps = {
  nodes: Node[];
  asked: string;
  argsText: string;
  tried: boolean;
  onWrite: (argsText: string) => void;
};
type Holder = Exclude<Node, { kind: 'field' }>;

/** The places where arguments are edited: fields, and what holds further ones below its name. */
function Nodes(props: NodesProps) {
  return (
    <div class="blanks">
      {props.nodes.map((node) =>
        node.kind === 'field' ? (
          <Field key={node.field.name} {...props} field={node.field} />
        ) : (
          <Nested key={node.at.join('/')} {...props} node={node} />
        ),
      )}
    </div>
  );
}

function Field({ field, asked, argsText, tried, onWrite }: NodesProps & { field: FormField }) {
  const fields = [field];
  return (
    <FormFields
      fields={fields}
      raw={argsRaw(fields, argsText)}
      first={argsRaw(fields, asked)}
      tried={tried}
      onChange={(raw) => onWrite(withFields(fields, argsText, raw, asked))}
    />
  );
}

function Nested({ node, ...props }: NodesProps & { node: Holder }) {
  const { call } = dialogWords();
  const label = visible(node.label, true);
  const put = (at: Place, value: Exact | undefined) => () => props.onWrite(withPlace(props.argsText, at, value));
  if (node.kind === 'absent') return <Quiet onPress={put(node.at, node.blank)}>{call.add(label)}</Quiet>;
  return (
    <fieldset class="held">
      <legend class="label">
        <UntrustedText exact text={node.label} />
      </legend>
      {node.kind === 'object' ? <Nodes {...props} nodes={node.nodes} /> : <Entries {...props} {...{ node, put }} />}
      {node.kind === 'list' && node.more && (
        <Quiet label={call.addTo(label)} onPress={put([...node.at, String(node.nodes.length)], node.more)}>
          {call.addIt}
        </Quiet>
      )}
      {node.kind === 'object' && node.removable && (
        <Quiet label={call.remove(label)} onPress={put(node.at, undefined)}>
          {call.removeIt}
        </Quiet>
      )}
    </fieldset>
  );
}

type EntriesProps = NodesProps & {
  node: Extract<Node, { kind: 'list' }>;
  put: (at: Place, value: Exact | undefined) => () => void;
};

function Entries({ node, put, ...props }: EntriesProps) {
  const { call } = dialogWords();
  return (
    <div class="blanks">
      {node.nodes.map((entry, place) => (
        // An entry has no name but its number.
        <div key={place} class="entry-of">
          <Nodes {...props} nodes={[entry]} />
          {node.fewer && (
            <Quiet
              label={call.remove(`${visible(node.label, true)} ${place + 1}`)}
              onPress={put(entry.kind === 'field' ? parsePlace(entry.field.name) : entry.at, undefined)}
            >
              {call.removeIt}
            </Quiet>
          )}
        </div>
      ))}
    </div>
  );
}
