import { chooseLanguage } from '#shared/texts/language.ts';
import { z } from 'zod';
import type { ActionOption } from '#shared/inquiry.ts';
import type { Json } from '#shared/json.ts';
const destination = z.enum(['session', 'localSettings', 'projectSettings', 'userSettings']);
const Suggestion = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('addRules'),
    behavior: z.literal('allow'),
    rules: z.array(z.object({ toolName: z.string(), ruleContent: z.string().nullish() })).min(1),
    destination,
  }),
  z.object({ type: z.literal('setMode'), mode: z.string(), destination }),
  z.object({ type: z.literal('addDirectories'), directories: z.array(z.string()).min(1), destination }),
]);

/** Longer, and a part of what is allowed would be cut. */
const LONGEST = 200;
const MOST = 19;

/**
 * Claude's suggestions of what to allow besides this call, as buttons beside the plain approval; undefined where it has
 * none. One that cannot be told in words is not offered. Their data is what goes back.
 */
export function suggestionOptions(suggestions: unknown, language: string | undefined): ActionOption[] | undefined {
  const words = WORDS[chooseLanguage(language, undefined)];
  const options = (Array.isArray(suggestions) ? suggestions : []).flatMap((data: Json, at): ActionOption[] => {
    const read = Suggestion.safeParse(data);
    const label = read.success ? toLabel(read.data, words) : '';
    if (!read.success || label.length > LONGEST) return [];
    return [{ id: `suggestion-${at}`, type: 'approve', label, remember: words[read.data.destination], data }];
  });
  if (options.length === 0) return undefined;
  return [{ id: 'once', type: 'approve', label: words.once }, ...options.slice(0, MOST)];
}

function toLabel(suggestion: z.output<typeof Suggestion>, words: (typeof WORDS)[keyof typeof WORDS]): string {
  switch (suggestion.type) {
    case 'addRules':
      return words.rules(
        suggestion.rules
          .map(({ toolName, ruleContent }) => (ruleContent ? `${toolName}(${ruleContent})` : toolName))
          .join(', '),
      );
    case 'setMode':
      return words.mode(suggestion.mode);
    case 'addDirectories':
      return words.folders(suggestion.directories.join(', '));
  }
}

const WORDS = {
  en: {
    once: 'Approve',
    rules: (rules: string) => `Always allow ${rules}`,
    mode: (mode: string) => (mode === 'acceptEdits' ? 'Allow all edits of files' : `Switch to the mode ${mode}`),
    folders: (folders: string) => `Allow the folder ${folders}`,
    session: 'for the rest of this session',
    localSettings: 'for this project on this computer',
    projectSettings: 'for everybody in this project',
    userSettings: 'for all projects of this user',
  },
  zh: {
    once: '批准',
    rules: (rules: string) => `始终允许 ${rules}`,
    mode: (mode: string) => (mode === 'acceptEdits' ? '允许所有文件修改' : `切换到 ${mode} 模式`),
    folders: (folders: string) => `允许访问文件夹 ${folders}`,
    session: '本次会话期间',
    localSettings: '这台电脑上的这个项目',
    projectSettings: '这个项目的所有人',
    userSettings: '该用户的所有项目',
  },
};
