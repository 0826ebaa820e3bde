import '../code.css';
import { useRef } from 'preact/hooks';
import { visible } from '#shared/visible.ts';
import { Quiet } from '../../../ui/Button.tsx';
import { Either } from '../../../ui/Either.tsx';
import { UntrustedText } from '../../../ui/UntrustedText.tsx';
import { FormFields } from '../../reply/form/FormFields.tsx';
import type { FormField } from '../../reply/form/schema.ts';
import { formTexts } from '../../reply/form/words.ts';
import { dialogWords } from '../../words.ts';
import type { Exact } from '../exact.ts';
import { argsRaw, withFields, withPlace } from './fields.ts';
import { type Node, type Place, parsePlace, toFieldName } from './nodes.ts';

type NodesProps = {
  nodes: Node[];
  asked: string;
  argsText: string;
  tried: boolean;
  onWrite: (argsText: string) => void;
  /** Notes which alternative was picked at a place, by its name. */
  onPick: (place: string, alternative: number) => void;
};
type Holder = Exclude<Node, { kind: 'field' | 'alternatives' }>;

/** The places where arguments or a nested form are filled in: fields, and what holds further ones below its name. */
export function Nodes(props: NodesProps) {
  return (
    <div class="blanks">
      {props.nodes.map((node) =>
        node.kind === 'field' ? (
          <Field key={node.field.name} {...props} field={node.field} />
        ) : node.kind === 'alternatives' ? (
          <Alternatives key={node.at.join('/')} {...props} node={node} />
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
  const words = formTexts();
  const label = visible(node.label, true);
  const put = (at: Place, value: Exact | undefined) => () => props.onWrite(withPlace(props.argsText, at, value));
  if (node.kind === 'absent') return <Quiet onPress={put(node.at, node.blank)}>{words.add(label)}</Quiet>;
  return (
    <fieldset class="held">
      <legend class="label">
        <UntrustedText exact text={node.label} />
      </legend>
      {node.kind === 'object' ? <Nodes {...props} nodes={node.nodes} /> : <Entries {...props} {...{ node, put }} />}
      {node.kind === 'list' && node.more && (
        <Quiet label={words.addTo(label)} onPress={put([...node.at, String(node.nodes.length)], node.more)}>
          {words.addIt}
        </Quiet>
      )}
      {node.kind === 'object' && node.removable && (
        <Quiet label={words.remove(label)} onPress={put(node.at, undefined)}>
          {words.removeIt}
        </Quiet>
      )}
    </fieldset>
  );
}

/** Which of several shapes it has, and the fields of that one; what was written in another comes back with it. */
function Alternatives({ node, ...props }: NodesProps & { node: Extract<Node, { kind: 'alternatives' }> }) {
  const words = formTexts();
  const { faults } = dialogWords();
  const left = useRef(new Map<number, Exact>());
  const { at, options, chosen, nodes, value, removable } = node;
  const label = visible(node.label, true);
  const pick = (key: string) => {
    const place = Number(key);
    if (chosen !== undefined) left.current.set(chosen, value);
    props.onPick(toFieldName(at), place);
    props.onWrite(withPlace(props.argsText, at, left.current.get(place) ?? options[place]?.blank));
  };
  return (
    <fieldset class="held">
      <legend class={label === '' ? 'sr' : 'label'}>
        <UntrustedText exact text={node.label} />
      </legend>
      <Either
        label={label}
        value={chosen === undefined ? undefined : String(chosen)}
        options={options.map((one, place) => [String(place), visible(one.label, true)] as const)}
        onPick={pick}
      />
      {props.tried && chosen === undefined && (
        <p class="hint is-wrong" role="alert">
          {faults['answer.missing']?.({})}
        </p>
      )}
      {nodes.length > 0 && <Nodes {...props} nodes={nodes} />}
      {removable && (
        <Quiet label={words.remove(label)} onPress={() => props.onWrite(withPlace(props.argsText, at, undefined))}>
          {words.removeIt}
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
  const words = formTexts();
  return (
    <div class="blanks">
      {node.nodes.map((entry, place) => (
        // An entry has no name but its number.
        <div key={place} class="entry-of">
          <Nodes {...props} nodes={[entry]} />
          {node.fewer && (
            <Quiet
              label={`${words.removeLine(place + 1)}: ${visible(node.label, true)}`}
              onPress={put(entry.kind === 'field' ? parsePlace(entry.field.name) : entry.at, undefined)}
            >
              {words.removeLine(place + 1)}
            </Quiet>
          )}
        </div>
      ))}
    </div>
  );
}
