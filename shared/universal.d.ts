// What pages, workers and Node all have beyond the language itself; add here what shared code may use.
declare class TextEncoder {
  encode(text?: string): Uint8Array<ArrayBuffer>;
}
declare class URL {
  constructor(url: string, base?: string);
  static canParse(url: string, base?: string): boolean;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly href: string;
}
declare const crypto: { getRandomValues<T extends Uint8Array>(array: T): T };
