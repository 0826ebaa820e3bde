/** Looks at what the page shows now. */
export type Look = (screen: string) => Promise<void>;
