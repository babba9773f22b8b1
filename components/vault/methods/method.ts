import type { Hex } from "viem";
import type { SignatureRequest } from "@/components/wallet/signature-request";
import type { Context } from "@/sdk/context/context";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import type { PayoutBatch } from "@/sdk/payments/payouts/pay-by-wallet";

/** What a method gets besides the SDK's context and its input. */
export interface Tools {
  /** Reports progress, which the page shows while it waits. */
  progress(done: number, total: number): void;
  /** Aborted when the page no longer wants the output. What was already sent to the service continues. */
  signal: AbortSignal;
  /** Has the page store the record of a document that is about to leave. Resolves once it is stored. */
  onPending(pending: PendingPayment): Promise<void>;
  /** Reports to the page which rows of a payout the next signature pays. */
  onBatch(batch: PayoutBatch): void;
  /** Requests a signature that needs its own explanation or another wallet. All others go through `context.wallet`. */
  ask(request: SignatureRequest): Promise<Hex>;
}

/**
 * A method of the vault. Input and output are plain data (structured clone) with amounts as decimal strings. Neither
 * contains a key.
 */
export type Method<I, O> = (context: Context, input: I, tools: Tools) => Promise<O>;
