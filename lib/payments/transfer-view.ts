import { eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { accounts } from "@/db/schema/accounts";
import { transfers } from "@/db/schema/transfers";
import type { TransferRow } from "./append-transfer-events";
import type { PaymentDetails } from "./details/payment-details";

/** What the API shows of a transfer to one of its sides. */
export interface TransferSummary {
  row: Pick<TransferRow, "id" | "chainId" | "kind" | "status" | "to" | "asset" | "txHash" | keyof PaymentDetails> & {
    /** A text in PostgreSQL's format. */
    createdAt: Date | string;
    confirmedAt: Date | string | null;
  };
  /** Without @. */
  payerHandle: string;
  direction: "sent" | "received";
}

/** A complete transfer, as one of its sides sees it. */
export interface TransferView extends TransferSummary {
  row: TransferRow;
  payerAddress: Address;
}

export const payers = alias(accounts, "payers");

/** The columns of a view. Join `payers` on the transfer's payer. */
export const viewColumns = { row: transfers, payerHandle: payers.handle, payerAddress: payers.address };
export const joinPayer = eq(payers.id, transfers.payerId);
