import { run, RunContext, RunState } from '@openai/agents';
import { ask, hubTime } from './beckon.mjs';

/**
 * Runs an agent to its end, as the SDK's `run` does, and asks people about each call that needs approval: each is a question
 * of its own. With `load` and `save` a run goes on in another process, and its questions stay the same; one yes runs a call
 * once, so a process that died while it ran is asked about anew. Throws where the hub stays out of reach; nothing runs then.
 */
export async function runWithPeople(agent, input, { load, save, runner = { run }, runOptions, ...options } = {}) {
  const go = (from) => runner.run(agent, from, { signal: options.signal, ...runOptions });
  const keep = (state, key) => save?.(JSON.stringify({ key, state: `${state}` }));
  const kept = await load?.();
  let { state, key } = kept ? await readKept(agent, kept, runOptions?.context) : {};
  let result = kept ? undefined : await go(input);
  while (!result || result.interruptions.length > 0) {
    if (result) {
      [state, key] = [result.state, crypto.randomUUID()];
      await keep(state, key);
    }
    const items = state.getInterruptions();
    const decisions = await decideAll(items, save && key, options);
    // Another key: what was decided holds for this go alone.
    await keep(state, crypto.randomUUID());
    settle(state, items, decisions);
    result = await go(state);
  }
  await save?.('');
  return result;
}

async function readKept(agent, kept, context) {
  const { key, state: text } = JSON.parse(kept);
  if (context === undefined) return { key, state: await RunState.fromString(agent, text) };
  const given = context instanceof RunContext ? context : new RunContext(context);
  return { key, state: await RunState.fromStringWithContext(agent, text, given) };
}

/** The decisions about these calls, each asked about by itself. Where one cannot be asked, the others are taken back. */
async function decideAll(items, key, { signal, ...options }) {
  const failed = new AbortController();
  const ends = AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]);
  const decideOne = async (item, at) => {
    const keyed = key ? { idempotencyKey: `openai-agents ${key} ${at}` } : {};
    const { decisions } = await ask('openai', [item], { ...options, ...keyed, signal: ends }).catch(ended);
    return decisions[0];
  };
  try {
    return (await Promise.all(items.map(decideOne))).map(stillValid);
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}

// An approval that was read before: the run was cut off for longer than it held.
function ended(error) {
  if (error.code !== 'ask.ended') throw error;
  return { decisions: [{ approve: false, message: error.message }] };
}

/** The same decision, or a refusal where it ended while others were decided. */
function stillValid(decision) {
  const { approve, validUntil } = decision;
  if (!approve || !(Date.parse(validUntil) <= hubTime())) return decision;
  return { approve: false, message: `The approval ended at ${validUntil}, before it was used. Nothing was run.` };
}

/** Tells the run. "Always" only where all calls of a tool ended alike: the SDK wipes with it what was decided about the others. */
function settle(state, items, decisions) {
  const isMixed = (at) =>
    items.some(({ name }, other) => name === items[at].name && decisions[other].approve !== decisions[at].approve);
  for (const [at, { approve, always, message }] of decisions.entries()) {
    const sticky = always === true && !isMixed(at);
    if (approve === true) state.approve(items[at], { alwaysApprove: sticky });
    else state.reject(items[at], { alwaysReject: sticky, message });
  }
}
