import { eq, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Tx } from "@/db/client";
import { accountNetworks, accounts } from "@/db/schema/accounts";
import { operations, relayers } from "@/db/schema/chain";
import { rebuiltPayments, transfers } from "@/db/schema/transfers";
import { newId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { agreedReceipt, eventsOf } from "@/lib/chain/ask/agreed-receipt";
import { ChainContradiction } from "@/lib/chain/chain-contradiction";
import { chainEnv } from "@/lib/chain/clients";
import { blockAt } from "@/lib/chain/index/cursor";
import { isSamePayment } from "@/lib/chain/index/same-payment";
import { type EventPayment, paymentInEvents } from "./payment-in-events";

/**
 * For this long after the newest rebuilt payment, unknown idempotency keys are refused, unless the owner's client has
 * submitted the tags of all its payments. It is the time for which keys are kept.
 */
const KEYS_KEPT_MS = 24 * 3_600_000;
const AT_ONCE = 200;

interface Lost {
  hash: Hex;
  index: number;
  block: bigint;
  /** Null for an agent that the database has lost as well: it has no row to which a transfer could belong. */
  payerId: string | null;
  rootId: string;
}

/**
 * Rebuilds the transfers of payments that our relayers sent and the database lacks because it was restored from a
 * backup. The ledger's events have everything except memo, API key and the name given for the recipient; they have no
 * amount. Marks the accounts, because the responses to repeated requests are lost as well. Writes no events: they were
 * sent before.
 *
 * Payments of agents that the backup lacks can't be rebuilt, but their owners' keys may have made them: the owner, whom
 * the ledger names, is marked too.
 *
 * @param fromBlock payments of earlier blocks are known to be in the database
 */
export async function rebuildLostPayments(tx: Tx, chainId: ChainId, fromBlock: bigint, now: Date): Promise<void> {
  const lost = await findLost(tx, chainId, fromBlock);
  if (lost.length === 0) return;
  const ours = new Set(
    (await tx.select({ address: relayers.address }).from(relayers).where(eq(relayers.chainId, chainId))).map(
      ({ address }) => address,
    ),
  );
  const newest = new Map<string, Date>();
  const operationOf = new Map<string, string>();
  let rebuilt = 0;
  let ofLostAgents = 0;
  for (let start = 0; start < lost.length; start += AT_ONCE) {
    const some = lost.slice(start, start + AT_ONCE);
    const found = await Promise.all(some.map((one) => readLost(chainId, one, ours)));
    for (const payment of found) {
      if (!payment) continue;
      const { payerId, rootId } = payment.lost;
      if (payerId === null) {
        ofLostAgents += 1;
        // It stays lost. Each rebuild finds it again, when its keys may be of no use any more.
        if (payment.time.getTime() + KEYS_KEPT_MS <= now.getTime()) continue;
      } else {
        await insert(tx, chainId, { ...payment, payerId }, operationOf, now);
        rebuilt += 1;
      }
      const last = newest.get(rootId);
      if (!last || payment.time > last) newest.set(rootId, payment.time);
    }
  }
  for (const [accountId, time] of newest) await forgetKeys(tx, chainId, accountId, time, now);
  if (rebuilt > 0)
    log().warn({ chainId, payments: rebuilt }, "payments the database had lost are rebuilt from the chain");
  if (ofLostAgents > 0)
    log().warn({ chainId, payments: ofLostAgents }, "the database has lost the agents that made these payments");
}

async function findLost(tx: Tx, chainId: ChainId, fromBlock: bigint): Promise<Lost[]> {
  const rows = await tx.execute<{
    hash: Uint8Array;
    index: number;
    block: string;
    payer: string | null;
    root: string;
  }>(sql`
    select p.tx_hash as hash, p.log_index as index, p.block_number::text as block, a.id as payer,
      coalesce(a.owner_id, a.id, o.id) as root
    from ledger_payments p left join accounts a on a.address = p.payer
      left join ledger_accounts l on a.id is null and l.chain_id = p.chain_id and l.address = p.payer
      left join accounts o on o.address = l.owner
    where p.chain_id = ${chainId} and p.block_number >= ${fromBlock.toString()}::bigint
      and coalesce(a.id, o.id) is not null and not exists (
        select from transfers t where t.payer_id = a.id and ${isSamePayment})
    order by p.block_number, p.log_index`);
  return rows.map(({ hash, index, block, payer, root }) => ({
    hash: `0x${Buffer.from(hash).toString("hex")}`,
    index,
    block: BigInt(block),
    payerId: payer,
    rootId: root,
  }));
}

interface Found {
  lost: Lost;
  shown: EventPayment;
  relayer: Address;
  time: Date;
}

/** Returns a lost payment as its receipt shows it; null if its owner sent it without the service. */
async function readLost(chainId: ChainId, lost: Lost, ours: ReadonlySet<Hex>): Promise<Found | null> {
  const [receipt, block] = await Promise.all([agreedReceipt(chainId, lost.hash), blockAt(chainId, lost.block)]);
  if (!receipt || receipt.blockHash !== block?.hash) throw new ChainContradiction("a payment without its receipt");
  const relayer = receipt.from.toLowerCase() as Address;
  if (!ours.has(relayer)) return null;
  const shown = paymentInEvents(eventsOf(chainId, receipt), lost.index);
  if (!shown) throw new ChainContradiction("a receipt without its payment");
  return { lost, shown, relayer, time: block.time };
}

/** @param operationOf operations of transactions that this run has rebuilt; payments of one batch share an operation */
async function insert(
  tx: Tx,
  chainId: ChainId,
  { lost, payerId, shown, relayer, time }: Found & { payerId: string },
  operationOf: Map<string, string>,
  now: Date,
): Promise<void> {
  const { operationKind: kind, account, recipient: to, fields } = shown;
  const [recipient] = await tx
    .select({ id: accounts.id, handle: accounts.handle, ownerId: accounts.ownerId })
    .from(accounts)
    .where(eq(accounts.address, to));
  const batch = `${lost.hash} ${fields.newCommitment}`;
  const known = operationOf.get(batch);
  const operationId = known ?? newId("operation");
  operationOf.set(batch, operationId);
  const settled = { createdAt: time, settledAt: time, checkedAt: now, reconciledAt: now };
  const target = chainEnv(chainId).ledger.toLowerCase() as Address;
  const call = { kind, status: "confirmed", account, target, data: "0x", gas: 0n, deadline: time, relayer } as const;
  if (!known) await tx.insert(operations).values({ id: operationId, chainId, ...call, ...settled });
  const id = newId("transfer");
  await tx.insert(transfers).values({
    id,
    chainId,
    status: "confirmed",
    payerId,
    payerRootId: lost.rootId,
    recipientId: recipient?.id ?? null,
    recipientRootId: recipient ? (recipient.ownerId ?? recipient.id) : null,
    recipientAddress: to,
    to: recipient ? `@${recipient.handle}` : to,
    ...fields,
    memo: null,
    recipientMemo: null,
    keyId: null,
    operationId,
    txHash: lost.hash,
    createdAt: time,
    confirmedAt: time,
    failedAt: null,
    clientSigned: false,
  });
  const { block, rootId } = lost;
  await tx.insert(rebuiltPayments).values({ transferId: id, chainId, rootId, block, paidAt: time });
}

async function forgetKeys(tx: Tx, chainId: ChainId, accountId: string, newest: Date, now: Date): Promise<void> {
  const until = new Date(newest.getTime() + KEYS_KEPT_MS);
  await tx
    .insert(accountNetworks)
    .values({ accountId, chainId, rebuiltAt: now, keysUnknownUntil: until })
    .onConflictDoUpdate({
      target: [accountNetworks.accountId, accountNetworks.chainId],
      set: {
        rebuiltAt: now,
        keysUnknownUntil: sql`greatest(${accountNetworks.keysUnknownUntil}, excluded.keys_unknown_until)`,
      },
    });
}
