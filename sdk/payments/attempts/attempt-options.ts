import type { PendingPayment } from "./pending-payment";

/** How a payment is identified, recorded and continued. */
export interface AttemptOptions {
  /**
   * Calls with the same key never pay twice, even from different processes: they continue the same payment. Default: a
   * random key.
   */
  idempotencyKey?: string | undefined;
  /** The record of an earlier attempt with this key, if you kept one: continues that attempt. */
  pending?: PendingPayment | undefined;
  /**
   * Called, and awaited, before each signed document leaves this machine, always with the whole record. Keep the record
   * until the outcome is known. If it throws, the document is not sent. Without a `pending` record for a key, the
   * client assumes that nothing was sent under the key, and does not search the chain for earlier attempts.
   */
  onPending?: ((pending: PendingPayment) => void | Promise<void>) | undefined;
}

/** Options of the client itself. */
export interface OwnAttemptOptions extends AttemptOptions {
  /** Whether other clients pay under the same key, so that one without a record may still not be the first. */
  shared?: boolean | undefined;
  /** How many seconds ago they may have paid at the earliest. Default: 26 hours. */
  searchSeconds?: number | undefined;
}

/**
 * Reports whether another process may have begun the payment without leaving a record here. A program that keeps
 * records and has none for the key has sent nothing, unless the key is shared, and a random key was never used before.
 */
export function mayHaveBegun({ idempotencyKey, pending, onPending, shared }: OwnAttemptOptions): boolean {
  return idempotencyKey !== undefined && !pending && (shared === true || !onPending);
}
