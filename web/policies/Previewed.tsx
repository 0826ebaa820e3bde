import { useEffect, useState } from 'preact/hooks';
import type { Preview } from '#shared/policies/preview.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { visible } from '#shared/visible.ts';
import { me } from '../live/session.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { call, type Refusal, type Reply } from '../live/api.ts';
import { ruleWords } from './words.ts';
import type { Whose } from './lists.ts';

/** What a rule would have decided of what this person was asked lately, and each that they decided in another way. */
export function Previewed({ then, preview }: { then: Rule['then']; preview: Preview | undefined }) {
  const t = ruleWords();
  if (!preview) return <p>{t.looking}</p>;
  const { looked, items } = preview;
  const made = items.filter(({ would }) => would !== undefined);
  const others = made.filter(({ differs }) => differs);
  const asks = then === 'ask' || then === 'ask-quietly' || (typeof then === 'object' && 'ask' in then);
  const say = asks
    ? t.leaves(items.length, looked)
    : (then === 'approve' ? t.approved : t.previewed)(made.length, looked);
  return (
    <>
      <p>
        <b>{say}</b> {others.length > 0 && (others.every(isOwn) ? t.differs : t.differed)(others.length)}
      </p>
      {others.length > 0 && (
        <ul>
          {others.map(({ inquiryId, title, did }) => (
            <li key={inquiryId}>
              <a href={`/i/${inquiryId}`}>
                <b>
                  <UntrustedText text={title} />
                </b>
                {t.did(visible(did.text))}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function isOwn({ did: { by } }: Preview['items'][number]): boolean {
  return by.kind === 'person' && by.handle === me.value?.person.handle;
}

/** What one rule would have made of what this person was asked lately. */
export function fetchPreview(of: Whose, rule: Rule): Promise<Reply<Preview> | Refusal> {
  return call<Preview>('POST', '/v1/policies/preview', { of, rules: [rule] });
}

/** The same while a rule is being chosen; undefined until the hub has looked. */
export function usePreview(of: Whose, rule: Rule | undefined): Preview | undefined {
  const [seen, see] = useState<{ key: string; preview: Preview } | undefined>();
  const key = JSON.stringify([of, rule && { ...rule, until: undefined }]);
  useEffect(() => {
    let left = false;
    if (rule) void fetchPreview(of, rule).then(({ ok }) => !left && ok && see({ key, preview: ok }));
    return () => {
      left = true;
    };
  }, [key]);
  return seen?.key === key ? seen.preview : undefined;
}
