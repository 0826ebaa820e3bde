import type { Tool } from '@modelcontextprotocol/client';
import type { GateRule } from '#shared/gate.ts';
import type { Inquiries } from '../inquiries/inquiries.ts';
import type { ClientPace } from '../mcp/pace.ts';
import type { Log } from '../platform/log.ts';
import type { HeldCalls } from './held.ts';

/** A gate as it is at this moment. Its credentials stand here in clear, in memory alone. */
export type GateConfig = {
  name: string;
  /** "file": the operator's. */
  from: 'api' | 'file';
  upstream: { url: string; headers: Record<string, string> };
  /** Handles of those who are asked; absent: whom the calling source asks by default. */
  to?: string[] | undefined;
  rules: GateRule[];
  otherwise: 'annotations' | 'ask' | 'allow' | 'deny';
  elicitation: 'client' | 'people';
  /** Seconds that a held call waits for its person. */
  deadline: number;
  /** Ids of the sources that may call; absent: every source. */
  sources?: string[] | undefined;
  /** When it was last changed, in ms; a gate of the file: when the hub started. */
  changedAt: number;
};

/** The tools of upstreams, remembered for a minute. */
export type Catalogue = {
  /** One tool, or undefined where the upstream has none of this name or cannot be asked. Never throws. */
  tool(gate: GateConfig, name: string): Promise<Tool | undefined>;
  /** All tools. Throws 424 with the reason where the upstream cannot be asked. */
  tools(gate: GateConfig): Promise<Tool[]>;
  /** The upstream said that its list changed, or the gate did. */
  forget(name: string): void;
};

/** How often a held call gives a sign of life, and how long it waits for its client; tests are faster. */
export type Pace = ClientPace & {
  /** The first frame goes out when the decision took this long. */
  firstFrameMs: number;
  everyMs: number;
  /** Calls that arrive within this time after one another are one turn. */
  burstMs: number;
  /** So long a call waits for its client to come back: from a lost legacy connection, or between two legs. */
  graceMs: number;
};

/** What every gate needs. */
export type Gates = {
  inquiries: Inquiries;
  /** The gate of this name as it is now. */
  find(name: string): Promise<GateConfig | undefined>;
  catalogue: Catalogue;
  /** The calls that this node holds. */
  held: HeldCalls;
  log: Log;
  pace: Pace;
  count(event: 'allowed' | 'denied' | 'asked' | 'approved' | 'edited' | 'rejected' | 'responded' | 'unanswered'): void;
};
