import type { RequestStateCodec } from '@modelcontextprotocol/server';
import type { Counter } from 'prom-client';
import type { Inquiries } from '../inquiries/inquiries.ts';
import type { Notices } from '../notices/send.ts';
import type { Log } from '../platform/log.ts';
import type { ServerResponse } from 'node:http';
import type { Pace } from './pace.ts';

/** What the tools need from the rest of the hub. */
export type Parts = {
  inquiries: Inquiries;
  notices: Notices;
  pace: Pace;
  log: Log;
  /** Signs what a modern client carries from leg to leg, with a key that all nodes share. */
  legs: RequestStateCodec;
  /** Replies of calls under way: a stop lets them be written. */
  underWay: Set<ServerResponse>;
  /** Calls of tools by what became of them. */
  calls: Counter<'tool' | 'outcome'>;
};
