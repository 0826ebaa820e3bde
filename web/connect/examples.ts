/** A line for any shell: asks, waits up to a minute, prints the inquiry with its resolution. */
export function curlLine(origin: string, key: string, prompt: string): string {
  return [
    `curl '${origin}/v1/inquiries?wait=60'`,
    `  -H 'Authorization: Bearer ${key}'`,
    `  -H 'Content-Type: application/json'`,
    `  -d '${JSON.stringify({ prompt })}'`,
  ].join(' \\\n');
}

/** The same as code for Node or any runtime with `fetch`, with two options to choose from. */
export function fetchExample(origin: string): string {
  return `const reply = await fetch('${origin}/v1/inquiries?wait=60', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.BECKON_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    questions: [{
      id: 'ship',
      type: 'choice',
      prompt: 'Ship it?',
      options: [{ value: 'yes', label: 'Ship it' }, { value: 'no', label: 'Wait' }],
    }],
  }),
});
const { resolution } = await reply.json();
console.log(resolution?.text ?? 'Nobody has answered yet.');`;
}

/** The line that gives an agent `send_inquiry`: an MCP server over Streamable HTTP with the key as bearer. */
export function mcpLine(origin: string, key: string): string {
  return `claude mcp add --transport http beckon '${origin}/mcp' --header 'Authorization: Bearer ${key}'`;
}
