import type { ProblemCode } from './reference/problems.ts';

/** One thing wrong with a request. `path` is a JSON Pointer (RFC 6901) into what was sent. */
export type Fault = { path: string; code: string; message: string; params?: Record<string, unknown> };

/** A refusal on the wire: RFC 9457 with a stable `code` ("noun.reason") and every fault located. */
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  faults?: Fault[];
};

/** A refusal inside the hub; the borders (HTTP, live, MCP, command line) turn it into their own form. */
export class AppError extends Error {
  readonly status: number;
  readonly code: ProblemCode;
  readonly faults: Fault[] | undefined;
  /** Members that the answer carries beside the problem's own, for instance a resolution. */
  readonly extra: Record<string, unknown> | undefined;

  constructor(
    status: number,
    code: ProblemCode,
    detail: string,
    more: { faults?: Fault[]; extra?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(detail, more);
    this.status = status;
    this.code = code;
    this.faults = more.faults;
    this.extra = more.extra;
  }
}

/** The RFC 9457 document of a refusal. */
export function toProblem(error: AppError): Problem {
  return {
    type: `urn:beckon:problem:${error.code}`,
    title: error.code.replace(/[._]/g, ' '),
    status: error.status,
    detail: error.message,
    code: error.code,
    ...(error.faults ? { faults: error.faults } : {}),
    ...error.extra,
  };
}
