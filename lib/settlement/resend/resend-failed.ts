import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { db } from "@/db/client";
import { operations, outgoingTransactions, relayers } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import { broadcast } from "@/lib/chain/broadcast";
import { publicClient } from "@/lib/chain/clients";
import { currentFees } from "@/lib/chain/fees";
import { makeAvailableNonceOf } from "@/lib/chain/nonces";
import { signerAt } from "@/lib/chain/relayer";
import { type Call, signTransaction } from "@/lib/chain/sign-transaction";
import { forEachAlone, type MayGoOn } from "./for-each-alone";
import { retryAt } from "./pace";
import { signedCall } from "./signed-call";

/**
 * Sends failed operations again, with a new nonce and the same payload, once a simulation succeeds. The delays grow
 * until the deadline has passed.
 */
export async function resendFailed(chainId: ChainId, mayGoOn?: MayGoOn): Promise<void> {
  const now = new Date();
  const due = await db()
    .select({ operation: operations, position: relayers.position })
    .from(operations)
    .innerJoin(relayers, and(eq(relayers.chainId, operations.chainId), eq(relayers.address, operations.relayer)))
    .where(
      and(
        eq(operations.chainId, chainId),
        eq(operations.status, "pending"),
        lte(operations.resendAt, now),
        gt(operations.deadline, now),
      ),
    )
    .orderBy(asc(operations.createdAt))
    .limit(50);
  const about = ({ operation }: { operation: { id: string } }) => ({ chainId, operation: operation.id });
  await forEachAlone(due, mayGoOn, about, async ({ operation, position }) => {
    const { id, relayer } = operation;
    const signer = signerAt(chainId, position, relayer);
    // This process does not have the relayer's seed. Another process sends it again, or its deadline passes.
    if (!signer) return;
    const call = await signedCall(operation, signer.address);
    if (!call || !(await works(chainId, relayer, call))) {
      await db()
        .update(operations)
        .set({ attempts: sql`${operations.attempts} + 1`, resendAt: retryAt(now, operation.attempts) })
        .where(eq(operations.id, id));
      return;
    }
    const fees = await currentFees(chainId);
    const signed = await db().transaction(async (tx) => {
      const [still] = await tx
        .update(operations)
        .set({ resendAt: null })
        .where(and(eq(operations.id, id), eq(operations.status, "pending"), lte(operations.resendAt, now)))
        .returning({ id: operations.id });
      if (!still) return null;
      const { nonce } = await makeAvailableNonceOf(tx, chainId, relayer);
      const transaction = await signTransaction(chainId, signer, nonce, call, fees);
      const row = { operationId: id, chainId, relayer, nonce, ...transaction, createdAt: new Date() };
      await tx.insert(outgoingTransactions).values({ ...row, status: "signed" });
      return transaction;
    });
    if (signed) broadcast({ chainId, txHash: signed.hash, raw: signed.raw });
  });
}

function works(chainId: ChainId, account: Hex, { target, data, value, gas }: Call): Promise<boolean> {
  return publicClient(chainId)
    .call({ account, to: target, data, value, gas })
    .then(
      () => true,
      () => false,
    );
}
