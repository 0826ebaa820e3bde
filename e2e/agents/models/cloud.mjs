import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { WebSocketServer } from 'ws'; // the SDK brings it

/**
 * OpenAI's cloud at the edge of the network, without a model: `/v1/responses` and `/v1/realtime`, and a hosted MCP server
 * that it calls itself. What it says makes the calls of the script, turn by turn, and then repeats what came of them. A
 * call `records: …` is one of the hosted server `records`, for which it asks leave.
 */
export async function startCloud(script) {
  const server = createServer((request, response) => void reply(script, request, response));
  new WebSocketServer({ server }).on('connection', (socket) => converse(script, socket));
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  server.unref();
  const { port } = server.address();
  return { url: `http://127.0.0.1:${port}/v1`, realtimeUrl: `ws://127.0.0.1:${port}/v1/realtime` };
}

const usage = {
  input_tokens: 1,
  output_tokens: 1,
  total_tokens: 2,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens_details: { reasoning_tokens: 0 },
};
const callsOf = (items) => items.filter(({ type }) => type === 'function_call' || type === 'mcp_approval_request');

async function reply(script, request, response) {
  const { input, instructions, tools } = JSON.parse(await text(request));
  if (process.env.HEARS) console.log(JSON.stringify({ instructions, tools }));
  const ran = runHosted(input);
  const output = [...ran, ...speak(script, [...input, ...ran])];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: `resp_${input.length}`, object: 'response', status: 'completed', output, usage }));
}

/** One conversation by voice, without the voice. */
function converse(script, socket) {
  const items = [];
  let next = 0;
  const send = (event) => socket.send(JSON.stringify({ event_id: `event_${next++}`, ...event }));
  const add = (item, response_id) => {
    items.push(item);
    if (item.type.startsWith('mcp_')) send({ type: 'conversation.item.done', item, previous_item_id: null });
    else send({ type: 'response.output_item.done', item, output_index: 0, response_id });
  };
  const answer = () => {
    const response = { id: `resp_${next}`, usage };
    send({ type: 'response.created', response });
    // While it waits for what its calls come to there is nothing to say.
    const output = callsOf(items).some((call) => !endOf(call, items)) ? [] : speak(script, items);
    for (const item of output) add(item, response.id);
    send({ type: 'response.done', response: { ...response, output } });
  };
  send({ type: 'session.created', session: {} });
  socket.on('message', (data) => {
    const { type, session, item } = JSON.parse(data);
    if (type === 'session.update') send({ type: 'session.updated', session });
    if (type === 'conversation.item.create') items.push(item);
    if (type === 'conversation.item.create') for (const ran of runHosted(items)) add(ran);
    if (type === 'response.create') answer();
  });
}

/** What it says to all that was said and made so far. */
function speak(script, items) {
  const made = callsOf(items);
  const turn = script.findIndex((_, at) => script.slice(0, at).flat().length === made.length);
  const calls = (script[turn] ?? []).map((call, at) => toCall(call, `${turn}_${at}`));
  if (calls.length > 0) return calls;
  const said = made.map((call) => decisionOn(call, items)?.said ?? endOf(call, items).output).join(' | ');
  const content = [{ type: 'output_text', text: said, annotations: [] }];
  return [{ type: 'message', id: `msg_${items.length}`, role: 'assistant', status: 'completed', content }];
}

function toCall([called, args], id) {
  const [name, label] = called.split(': ').toReversed();
  const shared = { name, arguments: JSON.stringify(args) };
  if (label) return { type: 'mcp_approval_request', id: `mcpr_${id}`, server_label: label, ...shared };
  return { type: 'function_call', id: `fc_${id}`, call_id: `call_${id}`, status: 'completed', ...shared };
}

/** Runs, once, what was approved of the hosted server, and says of the rest that it was not. */
function runHosted(items) {
  return callsOf(items).flatMap((call) => {
    const decided = decisionOn(call, items);
    if (!decided || endOf(call, items)) return [];
    const { id, name, server_label, arguments: args } = call;
    if (decided.approve) console.log(`ran ${JSON.parse(args).table}`);
    return [{ type: 'mcp_call', id: `run_${id}`, name, arguments: args, server_label, output: decided.said }];
  });
}

function decisionOn(call, items) {
  const found = items.find(({ approval_request_id: id }) => id !== undefined && id === call.id);
  const { table } = JSON.parse(call.arguments);
  return found && { ...found, said: found.approve ? `Deleted ${table}.` : (found.reason ?? 'rejected') };
}

function endOf(call, items) {
  if (call.type === 'mcp_approval_request') return items.find(({ id }) => id === `run_${call.id}`);
  return items.find(({ type, call_id: id }) => type === 'function_call_output' && id === call.call_id);
}
