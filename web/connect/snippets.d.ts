declare module 'virtual:snippets' {
  /** The blocks of code of the guides that `Connect` shows. */
  export const snippets: Record<string, { language: string; text: string }>;
}
