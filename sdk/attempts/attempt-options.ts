import type { PendingPayment } from "./pending-payment";

/** How a payment is named, kept and continued. */
export interface AttemptOptions {
  /**
   * The same key never pays twice, also from another process: it continues the same payment. A random one when left out.
   */
  idempotencyKey?: string | undefined;
  /** The record of an earlier attempt with this key, where it was kept: it is continued. */
  pending?: PendingPayment | undefined;
  /**
   * Called, and waited for, before each signed document leaves this machine, always with the whole record. Keep it until
   * the outcome is known; when it throws, nothing leaves. A program that keeps records and has none for a key has sent nothing
   * under it, so the chain is not searched for earlier attempts.
   */
  onPending?: ((pending: PendingPayment) => void | Promise<void>) | undefined;
}

/**
 * Whether another process may have begun it without a trace here: a program that keeps records and has none has sent nothing, and a
 * random key was never used.
 */
export function mayHaveBegun({ idempotencyKey, pending, onPending }: AttemptOptions): boolean {
  return idempotencyKey !== undefined && !pending && !onPending;
}
