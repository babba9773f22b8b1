import { eq, sql } from "drizzle-orm";
import { type Address, type Hex, isAddressEqual, numberToHex, pad, type RpcTransaction } from "viem";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { chainEnv, publicClient } from "@/lib/chain/clients";
import { finalBlock } from "@/lib/chain/index/cursor";
import { RANGE } from "@/lib/chain/index/range";
import { isSamePayment } from "@/lib/chain/index/same-payment";
import type { ChainId } from "@/lib/network";

/** A nonce of a relayer, and the call that it was to carry. */
export interface CarriedCall {
  relayer: Address;
  nonce: number;
  target: Address;
  data: Hex;
}

/** Reports whether a transaction is a version of a relayer's: of the same sender, nonce and call, at any fee. */
export function isVersionOf(
  { relayer, nonce, target, data }: CarriedCall,
  transaction: Pick<RpcTransaction, "from" | "nonce" | "to" | "input">,
): boolean {
  return (
    isAddressEqual(transaction.from, relayer) &&
    BigInt(transaction.nonce) === BigInt(nonce) &&
    transaction.to !== null &&
    isAddressEqual(transaction.to, target) &&
    transaction.input.toLowerCase() === data.toLowerCase()
  );
}

/**
 * Reports whether a relayer's nonce was used by the call of an operation, in a transaction that the database lacks. After
 * a restore, that is a version with a higher fee, which was signed after the backup's snapshot. Looks where the index
 * shows the operation's payment, and at the ledger's newest events of its account.
 */
export async function isOwnCall(chainId: ChainId, operationId: string, relayer: Address, nonce: number) {
  const { account, target, data } = operations;
  const [operation] = await db()
    .select({ account, target, data })
    .from(operations)
    .where(eq(operations.id, operationId));
  if (!operation) return false;
  const call = { relayer, nonce, target: operation.target as Address, data: operation.data };
  const hashes = new Set([
    ...(await indexedIn(operationId)),
    ...(await newestOf(chainId, operation.account as Address)),
  ]);
  for (const hash of hashes) {
    const transaction = await publicClient(chainId).request({ method: "eth_getTransactionByHash", params: [hash] });
    if (transaction && isVersionOf(call, transaction)) return true;
  }
  return false;
}

async function indexedIn(operationId: string): Promise<Hex[]> {
  const rows = await db().execute<{ hash: Buffer }>(sql`
    select p.tx_hash as hash from transfers t join accounts a on a.id = t.payer_id
    join ledger_payments p on ${isSamePayment} where t.operation_id = ${operationId}`);
  return rows.map(({ hash }) => `0x${hash.toString("hex")}` as const);
}

async function newestOf(chainId: ChainId, account: Address): Promise<Hex[]> {
  const { number } = await finalBlock(chainId);
  const fromBlock = numberToHex(number < RANGE ? 0n : number - RANGE + 1n);
  const topics = [null, pad(account)];
  const logs = await publicClient(chainId).request({
    method: "eth_getLogs",
    params: [{ address: chainEnv(chainId).ledger, fromBlock, toBlock: numberToHex(number), topics }],
  });
  return logs.flatMap(({ transactionHash }) => transactionHash ?? []);
}
