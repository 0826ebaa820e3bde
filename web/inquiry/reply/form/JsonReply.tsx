import { Lines } from '../../../ui/Lines.tsx';
import { visible } from '#shared/visible.ts';
import type { Part, PartOf } from '../part.ts';
import { formTexts } from './words.ts';

type JsonProps = {
  schema: Record<string, unknown>;
  part: PartOf<'form'>;
  name: string;
  onChange: (part: Part) => void;
  describedBy: string | undefined;
  wrong: boolean;
};

/** A form that no fields can say, answered as JSON beside its schema. */
export function JsonReply({ schema, part, name, onChange, describedBy, wrong }: JsonProps) {
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
