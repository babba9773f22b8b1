import { and, desc, eq, inArray, lt } from "drizzle-orm";
import { parseTransaction } from "viem";
import { db } from "@/db/client";
import { operations, outgoingTransactions, relayers } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { sendRaw } from "@/lib/chain/broadcast";
import { publicClient } from "@/lib/chain/clients";
import { currentFees } from "@/lib/chain/fees";
import { signerAt } from "@/lib/chain/relayer";
import { signTransaction } from "@/lib/chain/sign-transaction";
import { usedNonces } from "@/lib/chain/used-nonces";
import { fillGap } from "./fill-gap";
import { forEachAlone, type MayGoOn } from "./for-each-alone";
import { paceOf } from "./pace";
import { sentBy } from "./sent-by";
import { signedCall } from "./signed-call";

/**
 * Raises the fee cap of the transaction at which each relayer is stuck, with the same nonce and call. All hashes are
 * kept, because any of the versions may be mined. Fills a gap if that is what it is stuck at.
 */
export async function reprice(chainId: ChainId, mayGoOn?: MayGoOn): Promise<void> {
  const old = new Date(Date.now() - paceOf(chainId).stuck);
  const stuck = await db()
    .selectDistinct({ relayer: outgoingTransactions.relayer, position: relayers.position })
    .from(outgoingTransactions)
    .innerJoin(
      relayers,
      and(eq(relayers.chainId, outgoingTransactions.chainId), eq(relayers.address, outgoingTransactions.relayer)),
    )
    .where(
      and(
        eq(outgoingTransactions.chainId, chainId),
        // A node may refuse a transaction that offers less than the base fee, so it may also be one that was never sent.
        inArray(outgoingTransactions.status, ["signed", "sent"]),
        lt(outgoingTransactions.createdAt, old),
      ),
    );
  const about = ({ relayer }: { relayer: string }) => ({ chainId, relayer });
  await forEachAlone(stuck, mayGoOn, about, async ({ relayer, position }) => {
    // While the second provider is away, the first one is enough to raise a fee, but not to fill a gap.
    const agreedOn = await usedNonces(chainId, relayer, "latest").catch(() => undefined);
    const nonce =
      agreedOn ?? (await publicClient(chainId).getTransactionCount({ address: relayer, blockTag: "latest" }));
    const [last] = await db()
      .select({ transaction: outgoingTransactions, operation: operations })
      .from(outgoingTransactions)
      .innerJoin(operations, eq(operations.id, outgoingTransactions.operationId))
      .where(
        and(
          sentBy(chainId, relayer),
          eq(outgoingTransactions.nonce, nonce),
          inArray(outgoingTransactions.status, ["signed", "sent"]),
        ),
      )
      .orderBy(desc(outgoingTransactions.id))
      .limit(1);
    if (!last && agreedOn !== undefined) {
      await fillGap(chainId, relayer, position, agreedOn).catch((error: unknown) => {
        log().warn({ err: error, chainId, relayer }, "nonces that were left out can't be filled yet");
      });
    }
    if (!last || last.transaction.createdAt > old) return;
    const before = parseTransaction(last.transaction.raw).maxFeePerGas ?? 0n;
    const fees = await currentFees(chainId);
    // Nodes require a 10% higher fee for a replacement. If fees have not risen that much, the price is not what holds
    // it up.
    if (fees.maxFeePerGas * 10n < before * 11n) return;
    const signer = signerAt(chainId, position, relayer);
    const call = signer && (await signedCall(last.operation, signer.address));
    if (!call) return;
    const signed = await signTransaction(chainId, signer, nonce, call, fees);
    const { operationId } = last.transaction;
    await db()
      .insert(outgoingTransactions)
      .values({ operationId, chainId, relayer, nonce, ...signed, status: "signed", createdAt: new Date() });
    await sendRaw(chainId, signed.raw).catch((error: unknown) => {
      // It is stored, so it is sent again.
      log().warn({ err: error, chainId, txHash: signed.hash }, "the chain does not take a transaction yet");
    });
  });
}
