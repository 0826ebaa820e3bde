import type { Inquiry } from '#shared/inquiry.ts';

/** True where a call of these cannot be taken back: nothing that is said of it is folded. */
export function isCautious({ actions }: Pick<Inquiry, 'actions'>): boolean {
  return actions?.some(({ caution }) => caution) ?? false;
}
