import { and, desc, eq, inArray, lt } from "drizzle-orm";
import { parseTransaction } from "viem";
import { db } from "@/db/client";
import { operations, outgoingTransactions, relayers } from "@/db/schema/chain";
import { sendRaw } from "@/lib/chain/broadcast";
import { publicClient } from "@/lib/chain/clients";
import { currentFees } from "@/lib/chain/fees";
import { signerAt } from "@/lib/chain/relayer";
import { signTransaction } from "@/lib/chain/sign-transaction";
import type { ChainId } from "@/lib/network";
import { paceOf } from "./pace";
import { signedCall } from "./signed-call";

/**
 * Offers more for the transaction each relayer is stuck at: same nonce, same call, a higher fee cap. All hashes are
 * kept; whichever is mined counts.
 */
export async function reprice(chainId: ChainId): Promise<void> {
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
        eq(outgoingTransactions.status, "sent"),
        lt(outgoingTransactions.createdAt, old),
      ),
    );
  for (const { relayer, position } of stuck) {
    const nonce = await publicClient(chainId).getTransactionCount({ address: relayer, blockTag: "latest" });
    const [last] = await db()
      .select({ transaction: outgoingTransactions, operation: operations })
      .from(outgoingTransactions)
      .innerJoin(operations, eq(operations.id, outgoingTransactions.operationId))
      .where(
        and(
          eq(outgoingTransactions.chainId, chainId),
          eq(outgoingTransactions.relayer, relayer),
          eq(outgoingTransactions.nonce, nonce),
          inArray(outgoingTransactions.status, ["signed", "sent"]),
        ),
      )
      .orderBy(desc(outgoingTransactions.id))
      .limit(1);
    if (!last || last.transaction.createdAt > old) continue;
    const before = parseTransaction(last.transaction.raw).maxFeePerGas ?? 0n;
    const fees = await currentFees(chainId);
    // Nodes want a tenth more to replace one; when fees have not risen, the price is not what it is stuck at.
    if (fees.maxFeePerGas * 10n < before * 11n) continue;
    const signer = signerAt(chainId, position, relayer);
    const call = signer && (await signedCall(last.operation, signer.address));
    if (!call) continue;
    const signed = await signTransaction(chainId, signer, nonce, call, fees);
    const { operationId } = last.transaction;
    await db()
      .insert(outgoingTransactions)
      .values({ operationId, chainId, relayer, nonce, ...signed, status: "signed", createdAt: new Date() });
    await sendRaw(chainId, signed.raw);
  }
}
