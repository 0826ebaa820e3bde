import { Icon } from '../ui/Icon.tsx';
import { automationWords } from './words.ts';

/** The way back to the page of all that answers without its person. */
export function Back() {
  return (
    <p>
      <a class="quiet" href="/automation">
        <Icon name="back" />
        <span class="link">{automationWords().back}</span>
      </a>
    </p>
  );
}
