/*
 * The messages between a page and the vault's worker. They never contain keys: the page gets a method's output as plain
 * data, and the worker gets a wallet's signatures.
 */
import type { Address, Hex } from "viem";
import type { SignatureRequest } from "@/components/wallet/signature-request";
import type { FieldError } from "@/lib/base/errors";
import type { Network } from "@/lib/base/network";
import type { HalcyonErrorCode } from "@/sdk/api/errors";
import type { NetworkDocument } from "@/sdk/api/network-info";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import type { PayoutBatch } from "@/sdk/payments/payouts/pay-by-wallet";
import type { FundsOutput } from "./methods/funds";
import type { Methods } from "./methods/methods";

export type MethodName = keyof Methods;
export type InputOf<M extends MethodName> = Parameters<Methods[M]>[1];
export type OutputOf<M extends MethodName> = Awaited<ReturnType<Methods[M]>>;

/** The owner of a vault: the session's wallet on one network. */
export interface VaultOwner {
  network: Network;
  address: Address;
}

/**
 * A `HalcyonError` (sdk/api/errors.ts) in transit. With `pending` it is an `OutcomeUnknown`, and with `nothingMoved` as
 * well a `NothingMoved`; the other fields then describe its cause, and an empty `message` means that there is none.
 * With `status` it is a response of the service.
 */
export interface VaultError {
  code: HalcyonErrorCode;
  message: string;
  status?: number;
  param?: string;
  errors?: FieldError[];
  reason?: string;
  requestId?: string;
  retryAfter?: number;
  pending?: PendingPayment;
  nothingMoved?: true;
  mayHaveHappened?: true;
}

/** The balances that were decrypted last, and when (milliseconds since 1970). */
export interface ShownFunds {
  at: number;
  funds: FundsOutput;
}

/**
 * What the vault can do: nothing, show the balances that were decrypted last (while the chain, with which the viewing key
 * is compared, does not respond), read amounts and memos (viewing key only), or everything.
 */
export type VaultPower = "locked" | "showing" | "reading" | "unlocked";

/**
 * Messages from page to worker. `start` comes first and only once, with data from the page's render. `id` numbers runs,
 * and separately signature requests.
 */
export type ToVault =
  /** `restore`: whether to restore what this browser may read after a reload. */
  | ({ kind: "start"; restore: boolean; described: NetworkDocument | undefined } & VaultOwner)
  /** The page is in use. */
  | { kind: "touch" }
  /** Erase every key, for all tabs. */
  | { kind: "lock" }
  /** The page is closing. */
  | { kind: "leave" }
  | { kind: "run"; id: number; method: MethodName; input: unknown }
  | { kind: "cancel"; id: number }
  /** The page has stored the record, so the document may leave. */
  | { kind: "kept"; id: number }
  | { kind: "sign-answer"; id: number; signature: Hex }
  | { kind: "sign-refusal"; id: number; error: VaultError };

/** Messages from worker to page. */
export type FromVault =
  /**
   * Sent at first and after each change. `lastInput` is in milliseconds since 1970; `instance` identifies the running
   * worker. `shown`: what a page can show before it has decrypted balances itself, or without doing so.
   */
  | { kind: "state"; power: VaultPower; lastInput: number; instance: string; shown?: ShownFunds }
  /** The worker has erased every key and is ending. */
  | { kind: "ended" }
  | { kind: "progress"; id: number; done: number; total: number }
  /** What the next signature of a payout pays. */
  | { kind: "batch"; id: number; batch: PayoutBatch }
  /** A signed document is about to leave the browser. Store this record, then reply `kept`. */
  | { kind: "pending"; id: number; pending: PendingPayment }
  | { kind: "result"; id: number; output: unknown }
  | { kind: "error"; id: number; error: VaultError }
  /** `run`: the run that needs the signature. */
  | { kind: "sign-request"; id: number; run: number; request: SignatureRequest };
