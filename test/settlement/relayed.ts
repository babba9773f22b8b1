import { asc, eq } from "drizzle-orm";
import { type Address, type Hex, recoverTransactionAddress, type TransactionSerialized } from "viem";
import { db } from "@/db/client";
import { outgoingTransactions } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import { type SubmittedOperation, submitOperation } from "@/lib/chain/operations/submit-operation";
import { relayerAccount } from "@/lib/chain/relayer";
import type { LyingRpc } from "../services/lying-rpc";

/** Records a transaction that moves no value, without sending it, as a process does that ends right after its commit. */
export function recordUnsent(chainId: ChainId, position: number, data: Hex = "0x"): Promise<SubmittedOperation> {
  const { address } = relayerAccount(chainId, position);
  const deadline = new Date(Date.now() + 3_600_000);
  const common = { chainId, kind: "gas", account: address, target: address, data, deadline } as const;
  return db().transaction((tx) => submitOperation(tx, { ...common, position }));
}

/** Returns the transactions of an operation, oldest first. */
export const attempts = (operationId: string) =>
  db()
    .select()
    .from(outgoingTransactions)
    .where(eq(outgoingTransactions.operationId, operationId))
    .orderBy(asc(outgoingTransactions.id));

/** Makes an operation's transactions look stuck. */
export async function makeOld(operationId: string): Promise<void> {
  const longAgo = new Date(Date.now() - 60_000);
  const ours = eq(outgoingTransactions.operationId, operationId);
  await db().update(outgoingTransactions).set({ createdAt: longAgo }).where(ours);
}

/** From now on a node refuses the transactions of a relayer; without one, of none. */
export function refuseFrom(node: LyingRpc, relayer?: Address): void {
  node.refuse(
    relayer &&
      (async ({ method, params }) => {
        if (method !== "eth_sendRawTransaction") return undefined;
        const sender = await recoverTransactionAddress({ serializedTransaction: params[0] as TransactionSerialized });
        return sender === relayer ? "insufficient funds for gas * price + value" : undefined;
      }),
  );
}
