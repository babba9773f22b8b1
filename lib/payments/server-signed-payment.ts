import type { Tx } from "@/db/client";
import type { Asset } from "@/lib/base/assets";
import type { BeforeCommit, ContextAccount } from "@/lib/base/context/context";
import type { DetailsToClaim } from "./claim-details";
import type { ExactPayment } from "./exact/one-time";
import type { Receiver } from "./find-receiver";
import type { CreatedTransfer } from "./paid-transfer";
import type { PayerRecord } from "./read-payer";

/** How long the ledger may take a server-signed payment, in seconds. Until then, failed attempts are repeated. */
export const PAYMENT_DEADLINE = 3_600;

/** A payment that the service proves and signs, with its receiver and its amount in units. */
export interface ServerSignedPayment {
  /** The key's account or agent, or an agent of its account. */
  payer: ContextAccount;
  asset: Asset;
  amount: bigint;
  /** For a payment to an `exact` seller: the seller, which is paid through a one-time address. */
  receiver: Receiver;
  confidential: boolean;
  /** As the caller specified it. */
  to: string;
  memo: string | undefined;
  /**
   * The seed of an approved payment, from when it was held, or of a schedule's run. With it, paying again makes the
   * same note.
   */
  seed?: Uint8Array;
  /** The tag of an approved payment, from the request that asked for it, or of a schedule's run. */
  tag?: Uint8Array;
  /** Its details, such as a reference. */
  details?: DetailsToClaim;
  /** Set if the recipient takes only public payments (scheme `exact`). */
  exact?: ExactPayment;
  /** 32 bytes that identify what the payment is for. */
  binding?: Uint8Array;
  /** How long the ledger may take it; an hour by default. */
  deadlineSeconds?: number;
}

/** What else happens in the payment's transaction. */
export interface PaymentHooks {
  /** Runs first, before any available balance is locked. An approval locks the held payment here. */
  first?: (tx: Tx) => Promise<void>;
  /** Whether the owner has approved it, so that the threshold does not hold it again. */
  approved?: boolean;
  /** Runs last, when every other lock is taken. */
  beforeCommit?: BeforeCommit<CreatedTransfer>;
  /** The result of `readPayer` for the payer, if it was already requested. */
  payerRead?: Promise<PayerRecord | null>;
  /** Called once the payment waits for its turn at the available balance. */
  arrived?: () => void;
}
