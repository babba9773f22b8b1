import type { ReceiptNetwork } from "@/sdk/payments/transfers/check-receipt";

/** A network as the checking pages need it: which ledger to trust, and where to read the chain. */
export interface CheckableNetwork extends ReceiptNetwork {
  /** The address of a transaction in a public explorer, up to the hash; null if there is no explorer. */
  explorer: string | null;
  rpcUrl: string;
}
