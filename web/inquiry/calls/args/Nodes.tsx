import '../code.css';
import { visible } from '#shared/visible.ts';
import { Quiet } from '../../../ui/Button.tsx';
import { UntrustedText } from '../../../ui/UntrustedText.tsx';
import { FormFields } from '../../reply/form/FormFields.tsx';
import type { FormField } from '../../reply/form/schema.ts';
import { dialogWords } from '../../words.ts';
import type { Exact } from '../exact.ts';
import { argsRaw, withFields, withPlace } from './fields.ts';
import { type Node, type Place, parsePlace } from './nodes.ts';

type NodesProps = {
  nodes: Node[];
  asked: string;
  argsText: string;
  tried: boolean;
  onWrite: (argsText: string) => void;
};
type Holder = Exclude<Node, { kind: 'field' }>;

/** The places where arguments or a nested form are filled in: fields, and what holds further ones below its name. */
export function Nodes(props: NodesProps) {
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
