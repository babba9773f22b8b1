import { asc, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import type { Context } from "@/lib/base/context/context";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { agreedReceipt } from "@/lib/chain/ask/agreed-receipt";
import { publicClient } from "@/lib/chain/clients";
import { getTransferView } from "./get-transfer-view";
import { refundAccount } from "./refunds/refund-account";
import type { TransferView } from "./transfer-view";

/** The stages of a transfer, with their times. */
interface Timeline {
  createdAt: Date;
  /** When the chain first accepted a transaction of it. */
  broadcastAt: Date | null;
  /** The block that contains it, as the chain currently says. It may not be final yet. */
  mined: { block: bigint; at: Date } | null;
  finalAt: Date | null;
  failedAt: Date | null;
  /**
   * `expired`: in no block before its deadline. `superseded`: another payment changed the available balance that it
   * spends from.
   */
  failure: "expired" | "superseded" | null;
}

/** A transfer with its timeline. */
export interface TransferDetails extends TransferView {
  timeline: Timeline;
  /** For a received payment that can be refunded: where refunds go. */
  refundTo: { address: Address; handle: string } | null;
}

/**
 * Returns a transfer that the account or one of its agents sent or received, with what the chain says about it.
 *
 * @throws ApiError `not_found`, also for other accounts and the other network
 */
export async function getOwnTransfer(ctx: Context, id: string): Promise<TransferDetails> {
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
  // The hash of a final transfer is known. Otherwise any attempt may be the mined one, most likely the newest.
  const hashes = finalAt ? [row.txHash] : attempts.map(({ hash }) => hash).reverse();
  const mined = failedAt ? null : await firstMined(chainId, hashes);
  return { createdAt, broadcastAt, mined, finalAt, failedAt, failure };
}

/** Returns the block of the first of these transactions that is mined. Returns null if the chain does not respond. */
async function firstMined(chainId: ChainId, hashes: readonly Hex[]): Promise<Timeline["mined"]> {
  const client = publicClient(chainId);
  try {
    for (const hash of hashes) {
      const receipt = await agreedReceipt(chainId, hash);
      if (!receipt || BigInt(receipt.status) === 0n) continue;
      const { number, timestamp } = await client.getBlock({ blockNumber: BigInt(receipt.blockNumber) });
      return { block: number, at: new Date(Number(timestamp) * 1000) };
    }
  } catch (error) {
    log().warn({ err: error, chainId }, "the chain does not say where a transaction is");
  }
  return null;
}
