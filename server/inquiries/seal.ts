import type { AnswerContent } from '#shared/answer.ts';
import type { Asked } from '#shared/inquiry.ts';
import { seal, unseal } from '../platform/secrets/secrets.ts';

/** The ids of questions whose answers may stand nowhere in clear. */
export function secretIds(asked: Asked): string[] {
  return (asked.questions ?? []).flatMap((question) =>
    question.type === 'text' && question.secret ? [question.id] : [],
  );
}

/** Parts an answer into what everybody may read and the sealed values of secret questions. */
export function sealSecrets(
  asked: Asked,
  content: AnswerContent,
  key: Buffer,
): { open: AnswerContent; sealed: string | null } {
  const ids = secretIds(asked).filter((id) => content.values && Object.hasOwn(content.values, id));
  if (ids.length === 0) return { open: content, sealed: null };
  const entries = Object.entries(content.values ?? {});
  const secret = Object.fromEntries(entries.filter(([id]) => ids.includes(id)));
  const values = Object.fromEntries(entries.filter(([id]) => !ids.includes(id)));
  return { open: { ...content, values }, sealed: seal(key, JSON.stringify(secret)) };
}

/** The answer with its secret values put back, for the source's own read. */
export function openSecrets(content: AnswerContent, sealed: string, key: Buffer): AnswerContent {
  return { ...content, values: { ...content.values, ...(JSON.parse(unseal(key, sealed)) as Record<string, string>) } };
}
