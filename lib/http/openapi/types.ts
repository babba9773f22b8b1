/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
  [key: string]: Json;
}

/** One operation's answer of success as the API tests recorded it (docs/examples). */
export interface RecordedExample {
  request: { path: string; body?: Json };
  status: number;
  /** Left out of an answer without a body. */
  body?: Json;
}

/** What the API tests recorded and what the documentation says of errors; the generator reads nothing itself. */
export interface Recorded {
  /** By operationId. */
  operations: Readonly<Record<string, readonly RecordedExample[]>>;
  /** By event type. */
  events: Readonly<Record<string, Json>>;
  /** Error bodies by code. */
  errors: Readonly<Record<string, Json>>;
}
