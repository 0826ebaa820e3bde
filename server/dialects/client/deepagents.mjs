import { GENERAL_PURPOSE_SUBAGENT } from 'deepagents';
import { humanInTheLoop } from './langchain.mjs';

/**
 * The params of `createDeepAgent` with people in place of its `interruptOn`: each call of these tools is a question of its
 * own, of the main agent and of its sub-agents, whose names are on the card. A sub-agent's own `interruptOn` stands in for
 * the main agent's, as in Deep Agents; one that is compiled, or runs elsewhere, is left as it is. `options`: of the client's
 * `inquire`.
 */
export function withPeople({ interruptOn = {}, middleware = [], subagents = [], ...params }, options = {}) {
  const held = (agent, rules) => humanInTheLoop({ ...options, agent, interruptOn: rules });
  const people = (spec) => {
    if ('runnable' in spec || 'graphId' in spec) return spec;
    const { interruptOn: own = interruptOn, middleware: theirs = [], ...rest } = spec;
    return { ...rest, middleware: [...theirs, held(spec.name, own)] };
  };
  // Deep Agents adds this one by itself, with the main agent's tools and nobody who holds their calls.
  const general = { ...GENERAL_PURPOSE_SUBAGENT, tools: params.tools, skills: params.skills, middleware };
  const isGiven = subagents.some(({ name }) => name === general.name);
  return {
    ...params,
    middleware: [...middleware, held(params.name ?? options.agent, interruptOn)],
    subagents: [...(isGiven ? [] : [general]), ...subagents].map(people),
  };
}
