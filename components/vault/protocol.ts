/*
 * What page and vault worker say to each other. Keys never do: the page gets a method's output, plain data, and the
 * worker a wallet's signatures.
 */
import type { Address, Hex } from "viem";
import type { SignatureRequest } from "@/components/wallet/signature-request";
import type { FieldError } from "@/lib/errors";
import type { Network } from "@/lib/network";
import type { HalcyonErrorCode } from "@/sdk/api/errors";
import type { NetworkDocument } from "@/sdk/api/network-info";
import type { PendingPayment } from "@/sdk/attempts/pending-payment";
import type { Methods } from "./methods/methods";

export type MethodName = keyof Methods;
export type InputOf<M extends MethodName> = Parameters<Methods[M]>[1];
export type OutputOf<M extends MethodName> = Awaited<ReturnType<Methods[M]>>;

/** Whose vault: the session's wallet on one network. */
export interface VaultOwner {
  network: Network;
  address: Address;
}

/**
 * A `HalcyonError` (sdk/api/errors.ts) as it travels. With `pending` it is an `OutcomeUnknown`, with `nothingMoved` as
 * well a `NothingMoved`: all else is then its cause, with no `message` where there is none. With `status` it is a
 * response of the service.
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
}

/** What the vault can do: nothing, read amounts and memos (the viewing key alone), or everything. */
export type VaultPower = "locked" | "reading" | "unlocked";

/** Page to worker. `start` comes first and once, with what the page was rendered with; `id` numbers runs, and requests of signatures apart from them. */
export type ToVault =
  /** `restore`: read again what this browser may read after a reload. */
  | ({ kind: "start"; restore: boolean; described: NetworkDocument | undefined } & VaultOwner)
  /** Someone uses the page. */
  | { kind: "touch" }
  /** Forget every key, in every tab. */
  | { kind: "lock" }
  /** This page is going. */
  | { kind: "leave" }
  | { kind: "run"; id: number; method: MethodName; input: unknown }
  | { kind: "cancel"; id: number }
  /** The page has kept the record; the document may leave. */
  | { kind: "kept"; id: number }
  | { kind: "sign-answer"; id: number; signature: Hex }
  | { kind: "sign-refusal"; id: number; error: VaultError };

/** Worker to page. */
export type FromVault =
  /** At first, and whenever it changes. `lastInput` in milliseconds of `Date.now`; `instance` names the running worker. */
  | { kind: "state"; power: VaultPower; lastInput: number; instance: string }
  /** It has forgotten every key, and ends. */
  | { kind: "ended" }
  | { kind: "progress"; id: number; done: number; total: number }
  /** A signed document is about to leave the browser: keep this record, then reply `kept`. */
  | { kind: "pending"; id: number; pending: PendingPayment }
  | { kind: "result"; id: number; output: unknown }
  | { kind: "error"; id: number; error: VaultError }
  | { kind: "sign-request"; id: number; request: SignatureRequest };
