import { useSignal } from '@preact/signals';
import { visible } from '#shared/visible.ts';
import { Lines } from '../../../ui/Lines.tsx';
import { Quiet } from '../../../ui/Button.tsx';
import type { Picked } from '../../calls/args/nodes.ts';
import { Nodes } from '../../calls/args/Nodes.tsx';
import { dialogWords } from '../../words.ts';
import type { Part, PartOf } from './values.ts';
import { FormFields } from './FormFields.tsx';
import { nestedNodes, nestedText, withoutBlanks } from './nested.ts';
import { readForm } from './schema.ts';
import { formTexts } from './words.ts';

type FormProps = {
  schema: Record<string, unknown>;
  part: PartOf<'form'>;
  first: Part | undefined;
  tried: boolean;
  name: string;
  onChange: (part: Part) => void;
  describedBy: string | undefined;
  wrong: boolean;
};

/** The place to answer a form: its fields, or JSON where fields cannot say it. */
export function FormReply({ schema, part, first, tried, ...rest }: FormProps) {
  const fields = readForm(schema);
  if (!fields) return <NestedReply {...{ schema, part, first, tried, ...rest }} />;
  return (
    <FormFields
      {...{ fields, tried }}
      raw={part.raw}
      first={first?.type === 'form' ? first.raw : {}}
      onChange={(raw) => rest.onChange({ ...part, own: true, raw })}
    />
  );
}

/** A form whose members hold further ones, as fields; as JSON where it is wanted, or where fields cannot say it. */
function NestedReply({ first, tried, ...rest }: FormProps) {
  const { schema, part, onChange } = rest;
  const { call } = dialogWords();
  const fits = nestedNodes(schema, part.json, true) !== undefined;
  const asJson = useSignal(!fits);
  const picked = useSignal<Picked>(new Map());
  const nodes = asJson.value ? undefined : nestedNodes(schema, part.json, false, picked.value);
  const write = (json: string) => onChange({ ...part, own: true, json: withoutBlanks(schema, json) });
  return (
    <>
      {nodes ? (
        <Nodes
          nodes={nodes}
          asked={nestedText(schema, first?.type === 'form' ? first.json : '')}
          argsText={nestedText(schema, part.json)}
          tried={tried}
          onWrite={write}
          onPick={(place, one) => (picked.value = new Map(picked.value).set(place, one))}
        />
      ) : (
        <JsonReply {...rest} />
      )}
      {(!asJson.value || fits) && (
        <Quiet onPress={() => (asJson.value = !asJson.value)}>
          {asJson.value ? call.asForm : formTexts().answerAsJson}
        </Quiet>
      )}
    </>
  );
}

type JsonProps = {
  schema: Record<string, unknown>;
  part: PartOf<'form'>;
  name: string;
  onChange: (part: Part) => void;
  describedBy: string | undefined;
  wrong: boolean;
};

/** A form that no fields can say, answered as JSON beside its schema. */
function JsonReply({ schema, part, name, onChange, describedBy, wrong }: JsonProps) {
  const words = formTexts();
  return (
    <>
      <p class="label">{words.asJson}</p>
      <details class="preview">
        <summary>{words.schema}</summary>
        <pre class="schema">{visible(JSON.stringify(schema, undefined, 2))}</pre>
      </details>
      <Lines
        code
        label={name}
        value={part.json}
        rows={6}
        suggested={!part.own}
        wrong={wrong}
        describedBy={describedBy}
        onWrite={(json) => onChange({ ...part, own: true, json })}
      />
    </>
  );
}
