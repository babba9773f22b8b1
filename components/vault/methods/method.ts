import type { Hex } from "viem";
import type { SignatureRequest } from "@/components/wallet/signature-request";
import type { PendingPayment } from "@/sdk/attempts/pending-payment";
import type { Context } from "@/sdk/context/context";

/** What a method gets beside the SDK's context and its input. */
export interface Tools {
  /** Shown by the page while it waits. */
  progress(done: number, total: number): void;
  /** Aborted when the page no longer wants the output; what has been sent to the service continues. */
  signal: AbortSignal;
  /** Has the page keep the record of what is about to leave; resolves once it has. */
  onPending(pending: PendingPayment): Promise<void>;
  /** Asks for a signature that needs words of its own, or another wallet. All else goes by `context.wallet`. */
  ask(request: SignatureRequest): Promise<Hex>;
}

/** Input and output are plain data (structured clone), amounts decimal strings, and neither holds a key. */
export type Method<I, O> = (context: Context, input: I, tools: Tools) => Promise<O>;
