import type { Hex } from "viem";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { Asset } from "../api/network-info";
import type { DryRun, HeldPayment, Transfer } from "../api/resources/transfers";
import type { TextStore } from "../context/text-store";
import type { PaymentAwaitingApproval } from "../payments/attempts/transfer-status";
import type { Challenge } from "./challenge";

/** Who buys over HTTP 402: a client, or the service itself for an application that is connected to an agent. */
export interface Buyer {
  /** Sends requests to sellers. */
  readonly fetch: typeof fetch;
  /** Where payments are stored until they are served. */
  readonly offers: TextStore;
  /** The payments that the service signs; null for a buyer whose wallet signs, and whose sellers send. */
  readonly byService: ServicePayments | null;
  /** Returns the text under which payments are stored: those of another one are not continued. */
  recordsOf(): Promise<string>;
  /** Returns the chain that is paid on, and the assets of its ledger. */
  info(): Promise<{ chainId: number; assets: readonly Asset[] }>;
  scope(): Promise<Scope>;
  /** Returns the later of this machine's clock and the newest block's time, in Unix seconds. */
  now(): Promise<bigint>;
  /**
   * Signs a payment for its seller to send.
   *
   * @param mayBeSent whether an earlier one may be on chain
   */
  prepare(
    challenge: Challenge,
    asset: Asset,
    payment: KeyedPayment,
    mayBeSent: boolean,
  ): Promise<{ mode: "client_signed"; client_signed: unknown } | { mode: "paid"; transaction: Hex }>;
}

/** A payment to a seller. */
export interface SellerPayment {
  /** The seller's address. */
  to: string;
  /** Decimal string. */
  amount: string;
  asset: string;
  memo?: string | undefined;
  binding?: Hex | undefined;
  /** The seller takes public payments only (scheme `exact`). */
  public?: true | undefined;
  exact?: true | undefined;
}

/** A payment that is never made twice under its key. */
export type KeyedPayment = SellerPayment & { idempotencyKey: string };

/** Payments to sellers that the service signs, under the policy of an agent. */
export interface ServicePayments {
  pay(payment: KeyedPayment): Promise<Transfer | PaymentAwaitingApproval>;
  /** Returns what the policy decides; undefined if only this machine can read the payment. */
  dryRun(payment: SellerPayment): Promise<DryRun | undefined>;
  /** Reads a payment that awaited approval. */
  held(transactionId: string): Promise<Omit<HeldPayment, "status"> & { status: string; transfer_id?: string }>;
  /**
   * Waits until a payment is final.
   *
   * @throws TransferFailed; TransferNotFinal
   */
  settled(transferId: string): Promise<Pick<Transfer, "tx_hash">>;
  /** Reads a payment with what its `exact` seller takes. */
  exact(transferId: string): Promise<Transfer>;
}
