import type { AskOptions } from './beckon.mjs';

export type HeldTools = Omit<AskOptions, 'idempotencyKey' | 'answer'> & {
  /** Which tools people decide about; where it is left out, all that are not annotated as read-only (`readOnlyHint`). */
  tools?: readonly string[] | undefined;
};

/**
 * Holds calls of an MCP server's tools until people decide them, whenever and however the tools are registered. Edited
 * arguments are checked as the client's are. What nobody approved does not run, and its result says why; a call that is
 * cancelled takes its question back. Throws for what is no `McpServer` or `Server` of the official SDK (1.x or 2.x), and the
 * call fails where the hub stays out of reach. Returns the server.
 */
export declare function withPeople<Server extends object>(server: Server, options?: HeldTools): Server;
