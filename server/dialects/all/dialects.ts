import type { Dialect } from '../dialect.ts';
import { agUi } from '../ag-ui/ag-ui.ts';
import { aiSdk } from '../ai-sdk/ai-sdk.ts';
import { claude } from '../claude/claude.ts';
import { claudeHook } from '../claude-hook/claude-hook.ts';
import { codexHook } from '../codex-hook/codex-hook.ts';
import { elicitation } from '../elicitation/elicitation.ts';
import { geminiHook } from '../gemini-hook/gemini-hook.ts';
import { inquiry } from '../inquiry/inquiry.ts';
import { langgraph } from '../langgraph/langgraph.ts';
import { openai } from '../openai/openai.ts';
import { pydanticAi } from '../pydantic-ai/pydantic-ai.ts';

/** Every dialect that the hub speaks; in a folder of its own, because each of them imports the one above. */
export const DIALECTS: Dialect[] = [
  agUi,
  aiSdk,
  claude,
  claudeHook,
  codexHook,
  elicitation,
  geminiHook,
  inquiry,
  langgraph,
  openai,
  pydanticAi,
];
