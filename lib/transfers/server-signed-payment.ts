import type { Tx } from "@/db/client";
import type { Asset } from "@/lib/assets";
import type { BeforeCommit, ContextAccount } from "@/lib/context/context";
import type { DetailsToClaim } from "./claim-details";
import type { ExactPayment } from "./exact/one-time";
import type { Receiver } from "./find-receiver";
import type { CreatedTransfer } from "./paid-transfer";
import type { PayerRecord } from "./read-payer";

/** How long the ledger may take a plain payment: while it lasts a failed attempt is made again. Seconds. */
export const PAYMENT_DEADLINE = 3_600;

/** A payment the service proves and signs; its receiver is found, its amount in units. */
export interface ServerSignedPayment {
  /** The key's account or agent, or an agent of its account. */
  payer: ContextAccount;
  asset: Asset;
  amount: bigint;
  /** Of a payment to an `exact` seller the seller: it is paid through a one-time address. */
  receiver: Receiver;
  confidential: boolean;
  /** As the caller wrote it. */
  to: string;
  memo: string | undefined;
  /** Of an approved payment the one it was held with, of a schedule's run its own: making it again makes the same note. */
  seed?: Uint8Array;
  /** Of an approved payment that of the request that asked for it, of a schedule's run its own. */
  tag?: Uint8Array;
  /** What it says beside its money. */
  details?: DetailsToClaim;
  /** The recipient takes public payments only (scheme `exact`). */
  exact?: ExactPayment;
  /** 32 bytes that say what the payment is for. */
  binding?: Uint8Array;
  /** How long the ledger may take it; an hour when left out. */
  deadlineSeconds?: number;
}

/** What else happens in the payment's transaction. */
export interface PaymentHooks {
  /** Runs first, before any budget is locked: an approval locks the held payment. */
  first?: (tx: Tx) => Promise<void>;
  /** The owner has approved it: the threshold does not hold it again. */
  approved?: boolean;
  /** Runs last, when every other lock is taken. */
  beforeCommit?: BeforeCommit<CreatedTransfer>;
  /** What `readPayer` says of the payer, where it was asked for before. */
  payerRead?: Promise<PayerRecord | null>;
}
