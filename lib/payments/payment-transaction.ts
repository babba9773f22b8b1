import type { Tx } from "@/db/client";
import { unavailableWhileSignerChanges } from "@/lib/agents/unavailable-while-signer-changes";
import type { AvailableId } from "@/lib/balances/lock";
import { withAvailableBalances } from "@/lib/balances/with-available-balances";
import type { BeforeCommit, ContextAccount, RelayContext } from "@/lib/base/context/context";
import { broadcast } from "@/lib/chain/broadcast";
import type { SubmittedOperation } from "@/lib/chain/operations/submit-operation";
import type { DetailsToClaim } from "./claim-details";
import { claimBefore } from "./purposes";

/** What else happens in the transaction of a payment, or of several that are made together. */
export interface AroundPayment<T> {
  /** Runs first, before any available balance is locked. An approval locks the held payment here. */
  first?: ((tx: Tx) => Promise<void>) | undefined;
  /** Runs last, when every other lock is taken. */
  beforeCommit?: BeforeCommit<T> | undefined;
}

/** A payment, or several that are made together. */
interface PaymentToMake<T, R> {
  payer: ContextAccount;
  /** What each payment is for. */
  details: readonly (DetailsToClaim | undefined)[];
  /** The payer's available balance and, for a `fund`, the receiver's. */
  availableIds: readonly AvailableId[];
  lockToken?: string | undefined;
  /** Reads the policy, before the transaction. */
  read?: () => Promise<R>;
  /** The turn of those who change the policy. */
  turn?: string | undefined;
  /** Makes it, under the locks: checks, signs or holds, and records. */
  make(tx: Tx, read: R): Promise<MadeWith<T>>;
}

/** What was made, and the operations to broadcast once it is committed. */
export interface MadeWith<T> {
  created: T;
  operations: readonly SubmittedOperation[];
}

/**
 * Makes a payment, signed by the service or by its client, in one transaction: claims what it is for, locks available
 * balances, makes it, and completes the caller's request. Sends it after the commit.
 *
 * @throws ApiError
 */
export async function inPaymentTransaction<T, R = undefined>(
  ctx: RelayContext,
  { payer, details, availableIds, lockToken, read, turn, make }: PaymentToMake<T, R>,
  { first, beforeCommit }: AroundPayment<T>,
): Promise<T> {
  const paying = withAvailableBalances(
    availableIds,
    async (tx, said: R) => {
      const payment = await make(tx, said);
      await beforeCommit?.(tx, payment.created);
      return payment;
    },
    {
      lockToken,
      read,
      turn,
      async first(tx) {
        await first?.(tx);
        await claimBefore(tx, ctx, payer, details);
      },
    },
  );
  return sent(paying);
}

/** Sends what was made, once it is committed. */
export async function sent<T>(paying: Promise<MadeWith<T>>): Promise<T> {
  const { created, operations } = await unavailableWhileSignerChanges(paying);
  for (const operation of operations) broadcast(operation);
  return created;
}
