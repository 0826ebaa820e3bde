import { Button } from '../../ui/Button.tsx';

type Props = { cancel: string; submit: string; waits?: boolean; onCancel: () => void };

/** The two buttons at a form's end: one leaves it as it was, one submits it. */
export function SubmitBar({ cancel, submit, waits = false, onCancel }: Props) {
  return (
    <div class="bar-do">
      <Button look="line" onPress={onCancel}>
        {cancel}
      </Button>
      <Button submit waits={waits} onPress={() => {}}>
        {submit}
      </Button>
    </div>
  );
}
