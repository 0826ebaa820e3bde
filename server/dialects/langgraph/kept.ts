import type { Part } from '../dialect.ts';

/** In which names the middleware asked, and so how an edit has to be written: any other breaks the thread for good. */
export type Names = 'js' | 'python' | 'both';

/** How one interrupt is answered. */
export type Form =
  | { as: 'batch' | 'call'; names: Names }
  | { as: 'form'; wrapped: boolean }
  | { as: 'inbox' | 'text' | 'confirm' };

/** One interrupt, with the number of its inquiries; one HITL request that stands alone has no id. */
export type Kept = Form & { id?: string; parts: number };

export type Asked = { parts: Part[]; form: Form };
