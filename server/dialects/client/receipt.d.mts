/** One call of a receipt: `shown` and `run` are digests, as `digestCall` makes them. */
export type ReceiptCall = {
  type: 'beckon_call';
  tool: string;
  shown: string;
  decision: 'approve' | 'edit' | 'reject' | 'respond';
  run?: string;
};

export type ReceiptClaims = {
  iss: string;
  /** Who decided: `person:`, `rule:` or `decider:` and its name. */
  sub: string;
  /** Who asked: `source:` and its id. */
  act: { sub: string };
  aud?: string;
  /** Seconds since 1970. */
  iat: number;
  exp: number;
  jti: string;
  /** The inquiry. */
  txn: string;
  acr: 'person' | 'rule' | 'decider';
  amr?: string[];
  outcome: 'answered' | 'declined';
  shown: string;
  authorization_details: (ReceiptCall | { type: 'beckon_answer'; answer?: string })[];
};

export type Verifying = {
  /** The hub's key set, as `/.well-known/jwks.json` has it. */
  keys: { keys: object[] };
  /** The hub's PUBLIC_URL. */
  issuer: string;
  tool: string;
  /** The exact JSON text of the arguments, or their value where a double changes no number in it. */
  args: unknown;
  /** Where the receipt was made for somebody. */
  audience?: string | undefined;
  /** In ms; by default this machine's clock. */
  now?: number;
};

/** The claims of a receipt by which exactly this call may run now; throws for any other. It does not know what ran already. */
export declare function verifyReceipt(receipt: string, verifying: Verifying): Promise<ReceiptClaims>;
/** SHA-256 of a call, in lower-case hex, over `{"arguments":…,"tool":…}` with members sorted and numbers as written. */
export declare function digestCall(tool: string, argsText: string): Promise<string>;
/** A JSON text without white space, each object's members sorted by code unit, numbers as they were written. */
export declare function canonical(text: string): string;
