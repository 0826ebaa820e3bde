import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import type { CodeLanguage } from './arguments.ts';

/** A stretch of code and what it is; none for what stands out in no way. */
export type Token = { text: string; tone?: Tone };
export type Tone = 'word' | 'name' | 'text' | 'note' | 'mark';

// Registered when code in them is shown: all of them at once take a slow phone 30 ms.
const GRAMMARS = { bash, css, go, ini, java, json, markdown, python, rust, sql, typescript, xml, yaml };
// Written inside the other.
const WITHIN: Partial<Record<CodeLanguage, CodeLanguage[]>> = { markdown: ['xml'], typescript: ['xml'], xml: ['css'] };

// What a reader looks for first, whatever a grammar calls it.
const TONES: Record<string, Tone> = {
  keyword: 'word',
  built_in: 'word',
  literal: 'word',
  'selector-tag': 'word',
  section: 'word',
  strong: 'word',
  attr: 'name',
  attribute: 'name',
  title: 'name',
  name: 'name',
  property: 'name',
  string: 'text',
  regexp: 'text',
  comment: 'note',
  quote: 'note',
  doctag: 'note',
  meta: 'note',
  punctuation: 'mark',
};

/** Cuts code into tokens that together are the same text, character for character. */
export function tokenize(code: string, language: CodeLanguage): Token[] {
  register(language);
  const { value } = hljs.highlight(code, { language, ignoreIllegals: true });
  const tokens: Token[] = [];
  const open: (Tone | undefined)[] = [];
  // Its output is escaped text between its own spans, and nothing else.
  for (const [part] of value.matchAll(/<span class="[^"]*">|<\/span>|[^<]+/g)) {
    if (part.startsWith('<span')) open.push(readTone(part) ?? open.at(-1));
    else if (part.startsWith('</')) open.pop();
    else tokens.push(toToken(unescaped(part), open.at(-1)));
  }
  return tokens;
}

function register(language: CodeLanguage): void {
  if (hljs.getLanguage(language)) return;
  hljs.registerLanguage(language, GRAMMARS[language]);
  WITHIN[language]?.forEach(register);
}

function toToken(text: string, tone: Tone | undefined): Token {
  return tone ? { text, tone } : { text };
}

function readTone(span: string): Tone | undefined {
  const [, name = ''] = /hljs-([\w-]+)/.exec(span) ?? [];
  return TONES[name];
}

function unescaped(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}
