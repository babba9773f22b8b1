import { and, eq, ne, sql } from "drizzle-orm";
import { type Address, type Hex, isAddressEqual, numberToHex, pad, type RpcTransaction } from "viem";
import { db } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import { newestFirst } from "@/lib/base/block-ranges";
import type { ChainId } from "@/lib/base/network";
import { agreedReceipt } from "@/lib/chain/ask/agreed-receipt";
import { chainEnv, checkingClient, publicClient } from "@/lib/chain/clients";
import { finalBlock } from "@/lib/chain/index/cursor";
import { MOST_BLOCKS, rangeOf } from "@/lib/chain/index/range";
import { isSamePayment } from "@/lib/chain/index/same-payment";
import { sentBy } from "./sent-by";

/** How many of an account's transactions are looked at, the newest first, and how many at once. */
const MOST = 200;
const AT_ONCE = 20;

/** A nonce of a relayer, and the call that it was to carry. */
interface CarriedCall {
  relayer: Address;
  nonce: number;
  target: Address;
  data: Hex;
}

/** What the database knows of a relayer's nonce that one of our transactions has lost. */
interface LostNonce {
  /** The other transactions of ours with this nonce. */
  others: { hash: Hex; status: string }[];
  call: CarriedCall;
  /** The account to which the operation belongs. */
  account: Address;
  /** Where the index shows the operation's payment. */
  indexed: Hex[];
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

/** Reads what the database knows of a nonce that a transaction has lost. */
export async function readLostNonce(
  chainId: ChainId,
  { id, operationId, relayer, nonce }: { id: bigint; operationId: string; relayer: Address; nonce: number },
): Promise<LostNonce> {
  const { hash, status } = outgoingTransactions;
  const others = await db()
    .select({ hash, status })
    .from(outgoingTransactions)
    .where(and(sentBy(chainId, relayer), eq(outgoingTransactions.nonce, nonce), ne(outgoingTransactions.id, id)));
  const { account, target, data } = operations;
  const [operation] = await db()
    .select({ account, target, data })
    .from(operations)
    .where(eq(operations.id, operationId));
  if (!operation) throw new Error("a transaction has an operation");
  const call = { relayer, nonce, target: operation.target, data: operation.data };
  return { others, call, account: operation.account, indexed: await indexedIn(operationId) };
}

/**
 * Reports whether one of ours used a nonce that a transaction has lost. That is another transaction of the database:
 * raising a fee makes several with the same nonce, and a gap may have been filled that was none. Or it is a version
 * that the database lacks: after a restore, one with a higher fee, which was signed after the backup's snapshot. Looks
 * for it where the index shows the operation's payment, and at the ledger's newest events of its account.
 *
 * @throws Error if the chain can't be reached or contradicts itself; no error of the database
 */
export async function isOwnTransaction(
  chainId: ChainId,
  { others, call, account, indexed }: LostNonce,
): Promise<boolean> {
  // One that is still open is judged by itself. If it has lost the nonce too, it is the last one, and raises the alarm.
  if (others.some(({ status }) => status !== "replaced")) return true;
  const receipts = await Promise.all(others.map(({ hash }) => agreedReceipt(chainId, hash)));
  if (receipts.some((receipt) => receipt !== null)) return true;
  const hashes = [...new Set([...indexed, ...(await newestOf(chainId, account))])].slice(0, MOST);
  for (let from = 0; from < hashes.length; from += AT_ONCE) {
    const some = hashes.slice(from, from + AT_ONCE);
    const found = await Promise.all(some.map((hash) => isVersion(chainId, call, hash)));
    if (found.includes(true)) return true;
  }
  return false;
}

/** Reports whether a transaction is mined and a version of a call, according to each provider: one could make it up. */
async function isVersion(chainId: ChainId, call: CarriedCall, hash: Hex): Promise<boolean> {
  const clients = [publicClient(chainId), checkingClient(chainId)].filter((client) => client !== undefined);
  const said = await Promise.all(
    clients.map((client) => client.request({ method: "eth_getTransactionByHash", params: [hash] })),
  );
  return said.every((transaction) => transaction?.blockHash && isVersionOf(call, transaction));
}

async function indexedIn(operationId: string): Promise<Hex[]> {
  const rows = await db().execute<{ hash: Buffer }>(sql`
    select p.tx_hash as hash from transfers t join accounts a on a.id = t.payer_id
    join ledger_payments p on ${isSamePayment} where t.operation_id = ${operationId}`);
  return rows.map(({ hash }) => `0x${hash.toString("hex")}` as const);
}

/** Returns the transactions with the newest final events of an account, the newest first. */
async function newestOf(chainId: ChainId, account: Address): Promise<Hex[]> {
  const { number } = await finalBlock(chainId);
  const first = number < MOST_BLOCKS ? 0n : number - MOST_BLOCKS + 1n;
  const query = { address: chainEnv(chainId).ledger, topics: [null, pad(account)] };
  const ranges = newestFirst(rangeOf(chainId), first, number, (from, to) =>
    publicClient(chainId).request({
      method: "eth_getLogs",
      params: [{ ...query, fromBlock: numberToHex(from), toBlock: numberToHex(to) }],
    }),
  );
  const hashes: Hex[] = [];
  for await (const logs of ranges)
    hashes.push(...logs.flatMap(({ transactionHash }) => transactionHash ?? []).reverse());
  return hashes;
}
