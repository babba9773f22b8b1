import { asc, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import { publicClient } from "@/lib/chain/clients";
import type { SessionContext } from "@/lib/context/context";
import type { ChainId } from "@/lib/network";
import { log } from "@/lib/telemetry/log";
import { getTransferView } from "./get-transfer-view";
import { refundAccount } from "./refunds/refund-account";
import type { TransferView } from "./transfer-view";

/** How far a transfer has come, and when. */
export interface Timeline {
  createdAt: Date;
  /** When the chain first took a transaction of it. */
  broadcastAt: Date | null;
  /** The block that holds it, as the chain says now; it may not be final yet. */
  mined: { block: bigint; at: Date } | null;
  finalAt: Date | null;
  failedAt: Date | null;
  /** `expired`: in no block before its deadline. `superseded`: the budget it spends from became another. */
  failure: "expired" | "superseded" | null;
}

/** A transfer with its timeline. */
export interface TransferDetails extends TransferView {
  timeline: Timeline;
  /** Of a received payment that can be refunded: where refunds of it go. */
  refundTo: { address: Address; handle: string } | null;
}

/**
 * One transfer of the account or its agents, as either side, with what the chain says of it.
 *
 * @throws ApiError `not_found`, also for other accounts' and the other network's
 */
export async function getOwnTransfer(ctx: SessionContext, id: string): Promise<TransferDetails> {
  const view = await getTransferView(ctx, id);
  const [timeline, refundTo] = await Promise.all([timelineOf(ctx.chainId, view.row), refundToOf(view)]);
  return { ...view, timeline, refundTo };
}

async function refundToOf({ row, direction }: TransferView): Promise<TransferDetails["refundTo"]> {
  const isRefundable = row.kind === "transfer" && row.status === "confirmed" && row.refundOf === null;
  if (direction !== "received" || !isRefundable) return null;
  const { address, handle } = await refundAccount(row.payerId);
  return { address, handle: `@${handle}` };
}

async function timelineOf(chainId: ChainId, row: TransferView["row"]): Promise<Timeline> {
  const { createdAt, confirmedAt: finalAt, failedAt, operationId } = row;
  const attempts = await db()
    .select({
      hash: outgoingTransactions.hash,
      sentAt: outgoingTransactions.sentAt,
      deadline: operations.deadline,
    })
    .from(outgoingTransactions)
    .innerJoin(operations, eq(operations.id, outgoingTransactions.operationId))
    .where(eq(outgoingTransactions.operationId, operationId))
    .orderBy(asc(outgoingTransactions.id));
  const [broadcastAt = null] = attempts.flatMap(({ sentAt }) => sentAt ?? []).sort((a, b) => +a - +b);
  const deadline = attempts[0]?.deadline;
  const failure = failedAt && (deadline && deadline <= failedAt ? "expired" : "superseded");
  // Of a final one the hash is known; else any attempt may be the one, most likely the newest.
  const hashes = finalAt ? [row.txHash] : attempts.map(({ hash }) => hash).reverse();
  const mined = failedAt ? null : await firstMined(chainId, hashes);
  return { createdAt, broadcastAt, mined, finalAt, failedAt, failure };
}

/** The block of the first of some transactions that is in one. A chain that does not respond is no reason to fail. */
async function firstMined(chainId: ChainId, hashes: readonly Hex[]): Promise<Timeline["mined"]> {
  const client = publicClient(chainId);
  try {
    for (const hash of hashes) {
      const receipt = await client.request({ method: "eth_getTransactionReceipt", params: [hash] });
      if (!receipt || BigInt(receipt.status) === 0n) continue;
      const { number, timestamp } = await client.getBlock({ blockNumber: BigInt(receipt.blockNumber) });
      return { block: number, at: new Date(Number(timestamp) * 1000) };
    }
  } catch (error) {
    log().warn({ err: error, chainId }, "the chain does not say where a transaction is");
  }
  return null;
}
