import type { Node } from "./node";

/** A success response of an operation that the API tests recorded (docs/examples/operations.json). */
export interface RecordedExample {
  request: { path: string; body?: Node };
  status: number;
  /** Left out if the response has no body. */
  body?: Node;
}

/** The examples that the API tests recorded. */
export interface Recorded {
  /** By operationId. */
  operations: Readonly<Record<string, readonly RecordedExample[]>>;
  /** By event type. */
  events: Readonly<Record<string, Node>>;
  /** Error bodies by code. */
  errors: Readonly<Record<string, Node>>;
}
