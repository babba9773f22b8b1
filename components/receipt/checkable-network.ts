import type { ReceiptNetwork } from "@/sdk/transfers/check-receipt";

/** A network as the receipt page knows it: which ledger to believe, and where to read the chain. */
export interface CheckableNetwork extends ReceiptNetwork {
  /** Of a public explorer's page of a transaction, what stands before the hash; null where there is none. */
  explorer: string | null;
  rpcUrl: string;
}
