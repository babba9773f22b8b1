import type { Node } from "./node";

/** One operation's success response as the API tests recorded it (docs/examples/operations.json). */
export interface RecordedExample {
  request: { path: string; body?: Node };
  status: number;
  /** Left out of a response without a body. */
  body?: Node;
}

/** What the API tests recorded. */
export interface Recorded {
  /** By operationId. */
  operations: Readonly<Record<string, readonly RecordedExample[]>>;
  /** By event type. */
  events: Readonly<Record<string, Node>>;
  /** Error bodies by code. */
  errors: Readonly<Record<string, Node>>;
}
