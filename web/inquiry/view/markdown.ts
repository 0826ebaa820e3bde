import createDOMPurify from 'dompurify';
import { Marked } from 'marked';
import { visible } from '#shared/visible.ts';
import { parseBounded } from './bounded.ts';

export { watchTables } from './tables.ts';

const purify = createDOMPurify(window);
const ALLOWED = {
  ALLOWED_TAGS:
    'p br hr h2 h3 h4 h5 h6 ul ol li blockquote pre code strong em del a table thead tbody tr th td span'.split(' '),
  ALLOWED_ATTR: ['href', 'target', 'rel', 'class', 'start'],
};

// Each paragraph runs in the direction of its own first letter.
purify.addHook('afterSanitizeAttributes', (element) => {
  if (/^(P|LI|H[2-6]|TH|TD|BLOCKQUOTE)$/.test(element.tagName)) element.setAttribute('dir', 'auto');
  // A keyboard scrolls only what it reaches.
  if (element.tagName === 'TABLE') element.setAttribute('tabindex', '0');
});

const marked = new Marked({
  gfm: true,
  renderer: {
    // The question is the page's only first heading.
    heading({ tokens, depth }) {
      const level = Math.min(6, depth + 1);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    html: ({ text }) => escaped(text),
    // No word is left out: those behind the fence of code, the titles of links, and the definitions of addresses.
    code: ({ text, lang }) =>
      `<pre>${lang ? `<span class="info">${escaped(lang)}</span>\n` : ''}<code>${escaped(text)}\n</code></pre>\n`,
    def: ({ raw }) => `<p>${escaped(raw.trim())}</p>`,
    // Nothing is fetched from elsewhere: an image is its description and its address.
    image: ({ href, title, text }) =>
      `${escaped(text)} ${link(href, escaped(hostOf(href) ?? href), false)}${quoted(title)}`,
    link({ href, title, tokens }) {
      return link(href, this.parser.parseInline(tokens), true) + quoted(title);
    },
    checkbox: ({ checked }) => (checked ? '☑ ' : '☐ '),
  },
});

// Past this a phone would draw for longer than it takes to read.
const HTML_MAX = 1_000_000;

/**
 * Agent markdown as HTML that is safe to show: raw HTML as text, no images, links that show their real host. Undefined
 * for what can only be shown as it was written: it is too deep, or takes too long.
 */
export function renderMarkdown(text: string): string | undefined {
  try {
    const html = parseBounded(visible(text), marked.defaults);
    return html === undefined || html.length > HTML_MAX ? undefined : purify.sanitize(html, ALLOWED);
  } catch {
    return undefined;
  }
}

function link(href: string, words: string, showHost: boolean): string {
  const host = hostOf(href);
  if (host === undefined) return `${words} (${escaped(href)})`;
  const shown = showHost && !plain(words).includes(host) ? ` <span class="host">${escaped(host)}</span>` : '';
  return `<a href="${escaped(new URL(href).href)}" target="_blank" rel="noopener noreferrer">${words}</a>${shown}`;
}

function quoted(title: string | null | undefined): string {
  return title ? ` “${escaped(title)}”` : '';
}

/** The host a link really leads to, in ASCII; undefined for anything but the web and mail. */
function hostOf(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const { protocol, host, pathname } = new URL(href);
  if (protocol === 'mailto:') return pathname;
  return protocol === 'https:' || protocol === 'http:' ? host : undefined;
}

function plain(html: string): string {
  return html.replace(/<[^>]*>/g, '');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
