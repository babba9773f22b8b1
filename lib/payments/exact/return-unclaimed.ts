import { and, eq, lte, ne, or, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { operations } from "@/db/schema/chain";
import { exactPayments } from "@/db/schema/exact-payments";
import { transfers } from "@/db/schema/transfers";
import { assetByAddress } from "@/lib/base/assets";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { callAt } from "@/lib/chain/ask/call-at";
import { broadcast } from "@/lib/chain/broadcast";
import { CHAIN_IDS, chainEnv } from "@/lib/chain/clients";
import { type BlockMark, finalBlock } from "@/lib/chain/index/cursor";
import { decodeLedgerCall } from "@/lib/chain/ledger-call";
import { submitOperation } from "@/lib/chain/operations/submit-operation";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import { appendEvents } from "@/lib/events/append-events";
import { returnCalldata, returnNonce, tokenAbi } from "@/lib/ledger/exact/authorizations";
import type { ExactRow } from "./record-exact";

const BATCH = 50;
const PAUSE_LOCAL_MS = 5_000;
const PAUSE_PUBLIC_MS = 60_000;
const HOUR_MS = 3_600_000;
/** By then, a reorganized chain would have included a failed payment if it still could. */
const VOID_AFTER_MS = 24 * HOUR_MS;

interface Due {
  exact: ExactRow;
  /** The payment to the one-time address. */
  transfer: typeof transfers.$inferSelect;
  data: Hex;
  /** The payer's handle, without @. */
  payer: string;
}

/**
 * Settles payments to `exact` sellers whose time has ended on a final block. The token contract says whether the money
 * was taken or returned. If neither, returns it now with the authorization that the one-time address signed for the
 * owner's wallet. Safe to run in any number of workers at once, because the token accepts each authorization once.
 *
 * @returns in how many milliseconds to look again
 */
export async function returnUnclaimed(now = new Date()): Promise<number> {
  const due: Due[] = await db()
    .select({ exact: exactPayments, transfer: transfers, data: operations.data, payer: accounts.handle })
    .from(exactPayments)
    .innerJoin(transfers, eq(transfers.id, exactPayments.transferId))
    .innerJoin(accounts, eq(accounts.id, transfers.payerId))
    .innerJoin(operations, eq(operations.id, transfers.operationId))
    .where(
      and(
        eq(exactPayments.status, "open"),
        lte(exactPayments.validBefore, now),
        or(ne(transfers.status, "failed"), lte(exactPayments.validBefore, new Date(now.getTime() - VOID_AFTER_MS))),
      ),
    )
    // In random order, so that payments that can't be returned don't block all others.
    .orderBy(sql`random()`)
    .limit(BATCH);
  const finals = new Map<number, BlockMark>();
  for (const one of due) {
    const chainId = one.exact.chainId as ChainId;
    try {
      const final = finals.get(chainId) ?? (await finalBlock(chainId));
      finals.set(chainId, final);
      if (final.time >= one.exact.validBefore) await settle(chainId, one, final, now);
    } catch (error) {
      // The failure (an account's quota, a chain that does not respond) may not affect the others, so go on.
      log().warn({ err: error, transferId: one.exact.transferId }, "an unclaimed payment could not be returned yet");
    }
  }
  return CHAIN_IDS.every((chainId) => chainEnv(chainId).local) ? PAUSE_LOCAL_MS : PAUSE_PUBLIC_MS;
}

async function settle(chainId: ChainId, due: Due, final: BlockMark, now: Date): Promise<void> {
  const { transfer } = due;
  const used = (nonce: Hex) =>
    callAt<boolean>(chainId, final.hash, transfer.asset as Address, tokenAbi, "authorizationState", [
      transfer.recipientAddress,
      nonce,
    ]);
  const { paymentId } = transfer;
  if (!paymentId) throw new Error("a public payment has an id");
  if (await used(paymentId)) return close(due, "taken", now);
  if (await used(returnNonce(paymentId))) return close(due, "returned", now);
  if (transfer.status === "confirmed") return sendBack(chainId, due, now);
  if (transfer.status === "failed") await close(due, "void", now);
}

/** Records the outcome, and announces returned money once. */
async function close({ exact, transfer, payer }: Due, status: "taken" | "returned" | "void", now: Date): Promise<void> {
  const { transferId } = exact;
  const chainId = exact.chainId as ChainId;
  await db().transaction(async (tx) => {
    const [first] = await tx
      .update(exactPayments)
      .set({ status })
      .where(and(eq(exactPayments.transferId, transferId), eq(exactPayments.status, "open")))
      .returning({ transferId: exactPayments.transferId });
    if (!first || status !== "returned") return;
    const asset = assetByAddress(chainId, transfer.asset)?.symbol ?? transfer.asset;
    const payload = { transfer_id: transferId, counterparty: transfer.to, asset };
    const subject = { id: transfer.payerId, rootId: transfer.payerRootId, handle: payer };
    await appendEvents(tx, [{ chainId, type: "transfer.returned", subject, payload }], now);
  });
}

async function sendBack(chainId: ChainId, { exact, transfer, data }: Due, now: Date): Promise<void> {
  const asset = assetByAddress(chainId, transfer.asset);
  const call = decodeLedgerCall(data);
  if (!asset || call.functionName !== "spendPublic" || !transfer.paymentId) {
    throw new Error("a payment to an exact seller is a public one under a policy");
  }
  const terms = {
    from: transfer.recipientAddress,
    seller: exact.seller,
    returnTo: exact.returnTo,
    value: call.args[0].amount * asset.unit,
    validBefore: BigInt(exact.validBefore.getTime() / 1000),
    paymentId: transfer.paymentId,
  };
  const authorization = returnCalldata(terms, exact.returnSignature);
  // Someone may have submitted it already, in a block that is not final yet.
  if (!(await wouldSucceed(chainId, asset.address, authorization))) return;
  const operation = await db().transaction(async (tx) => {
    const [row] = await tx
      .select({ status: operations.status, exact: exactPayments })
      .from(exactPayments)
      .leftJoin(operations, eq(operations.id, exactPayments.returnOperationId))
      .where(eq(exactPayments.transferId, exact.transferId))
      .for("update", { of: exactPayments });
    const isUnderWay = row?.exact.returnOperationId != null && row.status !== "failed";
    if (row?.exact.status !== "open" || isUnderWay) return null;
    return submitOperation(
      tx,
      {
        chainId,
        kind: "return_unclaimed",
        account: exact.returnTo,
        target: asset.address,
        data: authorization,
        deadline: new Date(now.getTime() + HOUR_MS),
      },
      ({ id }) =>
        tx.update(exactPayments).set({ returnOperationId: id }).where(eq(exactPayments.transferId, exact.transferId)),
    );
  });
  if (operation) broadcast(operation);
}
