import { and, asc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { db, type Tx } from "@/db/client";
import { operations, outgoingTransactions, relayers } from "@/db/schema/chain";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { count } from "@/lib/base/telemetry/record";
import { agreedReceipt } from "@/lib/chain/ask/agreed-receipt";
import { isOffLedger, OFF_LEDGER } from "@/lib/chain/ask/off-ledger";
import { successOf } from "@/lib/chain/ask/own-receipt";
import { chainEnv } from "@/lib/chain/clients";
import { highestNonce, usedNonces } from "@/lib/chain/used-nonces";
import type { CarriedOut } from "@/lib/settlement/compare-states-with-index";
import { confirmOperations, isPayment } from "@/lib/settlement/settle-operations";
import { forEachAlone, type MayGoOn } from "./for-each-alone";
import { isOwnTransaction, readLostNonce } from "./is-own-call";
import { OF_EACH, openOfEach } from "./open-of-each";
import { paceOf, retryAt } from "./pace";

interface OpenTransaction {
  id: bigint;
  operationId: string;
  hash: Hex;
  relayer: Hex;
  nonce: number;
  kind: string;
}

/** What became of a transaction. */
interface Fate {
  status: "mined" | "reverted" | "replaced";
  /** What it carried out. */
  done: CarriedOut[];
  /** Whether a transaction that the service did not sign has used its nonce. */
  isForeign: boolean;
}

/**
 * Checks the transactions for which the index has no event. If one was mined and reverted, its operation is tried
 * again. If it was mined and the receipt shows success, the operation is done. If another transaction used its nonce,
 * it is marked as replaced. If that transaction was not one of ours, someone else has the relayer's key: raises an
 * alarm, and leaves out all nonces that are used up, so that what is sent next does not lose its nonce as well.
 *
 * @throws the first error of the database, once all others were checked
 */
export async function checkOpen(chainId: ChainId, mayGoOn?: MayGoOn): Promise<void> {
  const open: OpenTransaction[] = await openTransactions(chainId);
  const missing = looksAt(chainId, open);
  if (open.length === 0) return;
  const used = await finalNonces(chainId, [...new Set(open.map(({ relayer }) => relayer))]);
  const usedUp = ({ relayer }: OpenTransaction) => used.get(relayer) ?? 0;
  const over = open.filter((transaction) => transaction.nonce < usedUp(transaction));
  const about = ({ hash }: OpenTransaction) => ({ chainId, txHash: hash });
  await forEachAlone(over, mayGoOn, about, async (transaction) => {
    const fate = await fateOf(chainId, transaction, missing);
    if (fate) await close(chainId, transaction, fate, usedUp(transaction));
  });
}

const LOOKS = 5;
/** How often an open transaction had no receipt although its nonce was used. */
type Missing = Map<bigint, number>;
const missingOn = new Map<ChainId, Missing>();

/** Returns how often each open transaction was missing at earlier looks, and forgets all others. */
function looksAt(chainId: ChainId, open: readonly OpenTransaction[]): Missing {
  const known = missingOn.get(chainId);
  const missing = new Map(open.map(({ id }) => [id, known?.get(id) ?? 0]));
  missingOn.set(chainId, missing);
  return missing;
}

/**
 * Returns what became of a transaction whose nonce is used up; undefined if the chain does not show it yet. A look at
 * which the chain fails does not count.
 */
async function fateOf(chainId: ChainId, transaction: OpenTransaction, missing: Missing): Promise<Fate | undefined> {
  const outcome = await asked(chainId, transaction, () => outcomeOf(chainId, transaction));
  if (outcome === undefined) return undefined;
  if (outcome) return { ...outcome, isForeign: false };
  // A node that lags has no receipt either.
  const looks = (missing.get(transaction.id) ?? 0) + 1;
  missing.set(transaction.id, looks);
  if (looks < LOOKS) return undefined;
  const lost = await readLostNonce(chainId, transaction);
  const isOurs = await asked(chainId, transaction, () => isOwnTransaction(chainId, lost));
  return isOurs === undefined ? undefined : { status: "replaced", done: [], isForeign: !isOurs };
}

/** Asks the chain. If it fails, returns undefined: nothing is concluded from that, and everything else goes on. */
async function asked<T>(chainId: ChainId, { hash }: OpenTransaction, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    log().warn({ err: error, chainId, txHash: hash }, "the chain does not show what became of it");
    return undefined;
  }
}

/** Returns what a transaction's receipt shows; null without one. */
async function outcomeOf(
  chainId: ChainId,
  transaction: OpenTransaction,
): Promise<Pick<Fate, "status" | "done"> | null> {
  const receipt = await agreedReceipt(chainId, transaction.hash);
  if (!receipt) return null;
  if (BigInt(receipt.status) === 0n) return { status: "reverted", done: [] };
  return { status: "mined", done: await carriedOut(chainId, transaction) };
}

/** Selects the transactions for which the index has had time to see an event, and has seen none. */
export function openTransactions(chainId: ChainId) {
  const old = new Date(Date.now() - paceOf(chainId).check);
  const open = db()
    .select({
      id: outgoingTransactions.id,
      operationId: outgoingTransactions.operationId,
      hash: outgoingTransactions.hash,
      relayer: outgoingTransactions.relayer,
      nonce: outgoingTransactions.nonce,
      kind: operations.kind,
    })
    .from(outgoingTransactions)
    .innerJoin(operations, eq(operations.id, outgoingTransactions.operationId))
    .where(
      and(
        openOfEach,
        // Operations that the index never sees are checked at once.
        or(lt(outgoingTransactions.createdAt, old), inArray(operations.kind, OFF_LEDGER)),
      ),
    )
    .orderBy(asc(outgoingTransactions.nonce))
    .limit(OF_EACH)
    .as("open");
  const { id, operationId, hash, relayer, nonce, kind } = open;
  return db()
    .select({ id, operationId, hash, relayer, nonce, kind })
    .from(relayers)
    .crossJoinLateral(open)
    .where(eq(relayers.chainId, chainId))
    .orderBy(asc(nonce));
}

/** Returns for each relayer how many of its nonces are used in final blocks. */
async function finalNonces(chainId: ChainId, addresses: readonly Hex[]): Promise<Map<Hex, number>> {
  const blockTag = chainEnv(chainId).finality;
  const found = addresses.map(async (address): Promise<[Hex, number]> => {
    // While a node is away, nothing counts as final, and all other work goes on.
    const used = await usedNonces(chainId, address, blockTag).catch((error: unknown) => {
      log().warn({ err: error, chainId, relayer: address }, "a node does not say which nonces are final");
      return 0;
    });
    return [address, used];
  });
  return new Map(await Promise.all(found));
}

/**
 * Returns what a successful transaction carried out. For a payment, the ledger's event in the receipt must show it; the
 * payment may then be confirmed before the index sees it. For an operation outside the ledger, the receipt is enough.
 */
async function carriedOut(chainId: ChainId, { operationId, kind, hash }: OpenTransaction): Promise<CarriedOut[]> {
  if (isOffLedger(kind)) return [{ operationId, txHash: hash }];
  if (!isPayment(kind)) return [];
  const success = await successOf(chainId, hash);
  return success && success.events.length > 0 ? [{ operationId, txHash: hash }] : [];
}

/** @param used how many of the relayer's nonces are used in final blocks */
async function close(
  chainId: ChainId,
  transaction: OpenTransaction,
  { status, done, isForeign }: Fate,
  used: number,
): Promise<void> {
  const now = new Date();
  await db().transaction(async (tx) => {
    await tx.update(outgoingTransactions).set({ status }).where(eq(outgoingTransactions.id, transaction.id));
    // The index confirms everything else by the ledger's events.
    if (status === "mined") await confirmOperations(tx, chainId, done, now);
    else await tryAgain(tx, transaction.operationId, now);
    // Last: what is closed is not looked at again, and what fails to be closed raises no alarm yet.
    if (isForeign) await noteForeign(tx, chainId, transaction, used);
  });
}

/** Has an operation sent again if none of its transactions is under way or mined. */
async function tryAgain(tx: Tx, operationId: string, now: Date): Promise<void> {
  const [other] = await tx
    .select({ id: outgoingTransactions.id })
    .from(outgoingTransactions)
    .where(
      and(
        eq(outgoingTransactions.operationId, operationId),
        inArray(outgoingTransactions.status, ["signed", "sent", "mined"]),
      ),
    )
    .limit(1);
  if (other) return;
  const pending = and(eq(operations.id, operationId), eq(operations.status, "pending"));
  const [row] = await tx.select({ attempts: operations.attempts }).from(operations).where(pending);
  if (!row) return;
  await tx
    .update(operations)
    .set({ attempts: sql`${operations.attempts} + 1`, resendAt: retryAt(now, row.attempts) })
    .where(pending);
}

/** Leaves out the nonces that are used up, and raises the alarm. */
async function noteForeign(tx: Tx, chainId: ChainId, { relayer, nonce }: OpenTransaction, used: number): Promise<void> {
  const nextNonce = Math.min(used, highestNonce(chainId, nonce + 1));
  await tx
    .update(relayers)
    .set({ nextNonce })
    .where(and(eq(relayers.chainId, chainId), eq(relayers.address, relayer), lt(relayers.nextNonce, nextNonce)));
  count("halcyon.relayer.foreign", { chain: chainId });
  log().error({ chainId, relayer, nonce }, "a relayer's nonce was used by a transaction that the service did not sign");
}
