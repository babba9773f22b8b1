import type { Asset } from "@/lib/base/assets";
import type { ContextAccount } from "@/lib/base/context/context";
import type { DetailsToClaim } from "./claim-details";
import type { ExactPayment } from "./exact/one-time";
import type { Receiver } from "./find-receiver";
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
  /** Whether the owner has approved it, so that the threshold does not hold it again. */
  approved?: boolean;
  /** Set if others that pay from the same available balance may wait for it. */
  coming?: {
    /** The result of `readPayer` for the payer, which was requested already. */
    payer: Promise<PayerRecord | null>;
    /** Called once it waits for its turn at the available balance. */
    arrived(): void;
  };
}
