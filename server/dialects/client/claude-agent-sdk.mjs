import { ask } from './beckon.mjs';

/**
 * `canUseTool` for `query` of the Claude Agent SDK: people decide about each call that Claude would ask about, with their
 * edits as its input, and answer its `AskUserQuestion`. A call that is cancelled takes its question back. Throws where the
 * hub stays out of reach: the SDK denies the call then, and tells the model why. `options`: of the client's `ask`.
 */
export function canUseTool(options = {}) {
  return async (toolName, input, { signal, ...told }) => {
    const ends = AbortSignal.any([signal, options.signal].filter(Boolean));
    return ask('claude', { toolName, input, options: told }, { ...options, signal: ends });
  };
}
