import type { Tx } from "@/db/client";
import type { ContextAccount, RelayContext } from "@/lib/base/context/context";
import type { TransferRow } from "./append-transfer-events";
import type { ClaimingPayment, DetailsToClaim } from "./claim-details";
import type { PurposeColumn } from "./details/payment-details";

/** A payment's own columns, those that say what it is for, and what became of it. */
export type PurposeRow = Pick<
  TransferRow,
  PurposeColumn | "id" | "chainId" | "payerId" | "note" | "batchIndex" | "status" | "clientSigned"
>;

/**
 * What a payment can be for. Its feature says in its own folder what that means, in the payment's transaction; the
 * pipeline knows no more of it.
 */
export type Purpose = {
  /** The column of a transfer that names it. */
  readonly column: PurposeColumn;
  /** Returns the id that a payment's details name; undefined if they name none. */
  named(details: DetailsToClaim): string | undefined;
  /**
   * Notes payments that are about to be written, and may name in them what they are for.
   *
   * @returns what is left to do once they are written
   */
  record(tx: Tx, rows: readonly PurposeRow[], now: Date): Promise<(() => Promise<void>) | undefined>;
  /** Follows payments that were confirmed or have failed. */
  settle(tx: Tx, rows: readonly PurposeRow[], now: Date): Promise<void>;
  /** Follows confirmed payments that are open again. */
  reopen(tx: Tx, rows: readonly PurposeRow[]): Promise<void>;
} & (ClaimedBefore | ClaimedAfter);

/** Its locks precede those of available balances. Payments that are made together claim it once. */
interface ClaimedBefore {
  readonly claimed: "before balances";
  /**
   * Checks that a payment of this payer may be for it, and locks it.
   *
   * @throws ApiError if it may not
   */
  claim(tx: Tx, ctx: RelayContext, details: DetailsToClaim, payer: ContextAccount): Promise<void>;
}

/** Its locks follow those of available balances. */
interface ClaimedAfter {
  readonly claimed: "after balances";
  /**
   * Checks that a payment may be for it, and locks it.
   *
   * @throws ApiError if it may not
   */
  claim(tx: Tx, ctx: RelayContext, details: DetailsToClaim, payment: ClaimingPayment): Promise<void>;
}

/** A purpose with nothing to do at this moment. */
export const NO_STEP = async () => undefined;
