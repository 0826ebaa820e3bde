/** The tools by which an agent asks people, as Beckon's MCP server names them to a source: to call one needs nobody's leave. */
export const SOURCE_TOOLS = [
  'send_inquiry',
  'get_answer',
  'withdraw_inquiry',
  'decide_for_human',
  'send_notice',
] as const;

/** Whether this is one of them, to the letter. */
export const isSourceTool = (name: unknown): boolean => SOURCE_TOOLS.some((tool) => tool === name);
