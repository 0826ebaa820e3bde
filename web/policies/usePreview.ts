import { useEffect, useState } from 'preact/hooks';
import type { Preview } from '#shared/policies/preview.ts';
import type { Rule } from '#shared/policies/rule.ts';
import { call, type Refusal, type Reply } from '../live/api.ts';
import type { Whose } from './lists.ts';

/** What one rule would have made of what this person was asked lately. */
export function previewOf(of: Whose, rule: Rule): Promise<Reply<Preview> | Refusal> {
  return call<Preview>('POST', '/v1/policies/preview', { of, rules: [rule] });
}

/** The same while a rule is being chosen; undefined until the hub has looked. */
export function usePreview(of: Whose, rule: Rule | undefined): Preview | undefined {
  const [seen, see] = useState<{ key: string; preview: Preview } | undefined>();
  const key = JSON.stringify([of, rule && { ...rule, until: undefined }]);
  useEffect(() => {
    let left = false;
    if (rule) void previewOf(of, rule).then(({ ok }) => !left && ok && see({ key, preview: ok }));
    return () => {
      left = true;
    };
  }, [key]);
  return seen?.key === key ? seen.preview : undefined;
}
