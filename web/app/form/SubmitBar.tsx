import { Slab } from '../../ui/Slab.tsx';

type Props = { cancel: string; submit: string; waits?: boolean; onCancel: () => void };

/** The two buttons at a form's end: one leaves it as it was, one submits it. */
export function SubmitBar({ cancel, submit, waits = false, onCancel }: Props) {
  return (
    <div class="bar-do">
      <Slab look="line" onPress={onCancel}>
        {cancel}
      </Slab>
      <Slab submit waits={waits} onPress={() => {}}>
        {submit}
      </Slab>
    </div>
  );
}
