import { and, asc, eq } from "drizzle-orm";
import { type Address, getAddress, isAddressEqual } from "viem";
import { db, sql } from "@/db/client";
import { auditAnchorLeaves, auditAnchors } from "@/db/schema/audit";
import { env, readRetention } from "@/lib/base/env";
import type { ChainId } from "@/lib/base/network";
import { publicClient } from "@/lib/chain/clients";
import { ANCHOR_POSITION, relayerAccounts } from "@/lib/chain/relayer";
import { dayNumber, readAnchorCalldata, startOf } from "./anchor-calldata";
import { anchorTree } from "./anchor-tree";
import { signerOf } from "./signer-of";

interface AnchorVerification {
  /** Number of days whose anchor on chain was compared. */
  days: number;
  /** One sentence for each thing that was changed after it was anchored; empty if all is well. */
  problems: string[];
  /** One sentence for each thing that the anchors don't cover. */
  notes: string[];
}

type Anchor = typeof auditAnchors.$inferSelect;

const date = (day: number) => startOf(day).toISOString().slice(0, 10);
const AT_ONCE = 20;

/**
 * Compares the audit log of a network with its anchors on chain. The chain knows how many transactions each account
 * sent, so no anchor can be hidden: anchoring a day twice leaves a transaction that the database lacks. The entries at
 * anchored positions must have the anchored hashes. Entries dated before the newest anchored day must be covered by an
 * anchor, otherwise they were written afterwards. Where entries have been deleted (`npm run maintain`), their
 * checkpoint must be covered by an anchor that is at least as old as the retention period, so that deleting newer
 * entries can't be passed off as expiry.
 *
 * @param auditDays how many days entries are kept at least; null if for ever, so that none may have been deleted
 */
export async function verifyAnchors(
  chainId: ChainId,
  now = new Date(),
  { auditDays }: { auditDays: number | null } = readRetention(),
): Promise<AnchorVerification> {
  const accounts = new Set([
    ...relayerAccounts(chainId, ANCHOR_POSITION).map(({ address }) => address),
    ...env().anchorAccounts.map((address) => getAddress(address)),
  ]);
  const rows = await db()
    .select()
    .from(auditAnchors)
    .where(eq(auditAnchors.chainId, chainId))
    .orderBy(asc(auditAnchors.nonce));
  const result: AnchorVerification = { days: 0, problems: [], notes: [] };
  const counted = new Set<number>();
  const signed = await Promise.all(
    rows.map(async (row) => ({ row, signer: await signerOf(row.raw).catch(() => null) })),
  );
  for (const { row, signer } of signed) {
    if (signer && accounts.has(signer)) continue;
    result.problems.push(
      `the anchor of ${date(row.day)} is of ${signer ?? "no account"}, which is none of the service's`,
    );
  }
  for (const address of accounts) {
    const own = signed.filter(({ signer }) => signer === address).map(({ row }) => row);
    await verifyAccount(chainId, address, own, result, counted);
  }
  result.days = counted.size;
  const newest = Math.max(...counted);
  result.problems.push(...(await leftTooEarly(chainId, counted, dayNumber(now), auditDays)));
  if (counted.size > 0) {
    result.problems.push(...(await writtenAfterwards(chainId, newest)));
    const missed = newest - Math.min(...counted) + 1 - counted.size;
    if (missed > 0) result.notes.push(`${missed} days between the first and the last anchor have none`);
    if (dayNumber(now) - newest > 1) result.notes.push(`nothing was anchored since ${date(newest)}`);
  } else result.notes.push("nothing is anchored on chain yet");
  return result;
}

/** Compares what one account anchored on chain with its rows in the database. Adds the days that match to `counted`. */
async function verifyAccount(
  chainId: ChainId,
  address: Address,
  rows: readonly Anchor[],
  result: AnchorVerification,
  counted: Set<number>,
): Promise<void> {
  const mined = await publicClient(chainId).getTransactionCount({ address, blockTag: "latest" });
  const known = new Map(rows.map((row) => [row.nonce, row]));
  for (let from = 0; from < mined; from += AT_ONCE) {
    const nonces = Array.from({ length: Math.min(AT_ONCE, mined - from) }, (_, i) => from + i);
    const found = await Promise.all(nonces.map((nonce) => onChain(chainId, address, known.get(nonce))));
    for (const [i, anchored] of found.entries()) {
      const row = known.get(from + i);
      if (!row)
        result.problems.push(`anchor ${from + i} is on chain and not in the database, which is older or was changed`);
      else if (!anchored) result.problems.push(`the anchor of ${date(row.day)} is not on chain as the database has it`);
      else {
        counted.add(anchored.day);
        result.problems.push(...(await compare(row, anchored)));
        if (anchored.minedOn !== anchored.day) {
          result.notes.push(
            `the anchor of ${date(anchored.day)} was mined on ${date(anchored.minedOn)}: it shows what was there then`,
          );
        }
      }
    }
  }
}

interface OnChain {
  day: number;
  root: string;
  minedOn: number;
}

/**
 * Returns the transaction of a row as the chain has it; null if it isn't there, isn't the account's, or has another
 * content.
 */
async function onChain(chainId: ChainId, address: Address, row: Anchor | undefined): Promise<OnChain | null> {
  if (!row) return null;
  const tx = await publicClient(chainId)
    .getTransaction({ hash: row.txHash })
    .catch((error: Error) => {
      if (error.name === "TransactionNotFoundError") return null;
      throw error;
    });
  if (!tx?.blockNumber || tx.nonce !== row.nonce || !isAddressEqual(tx.from, address)) return null;
  const says = readAnchorCalldata(tx.input);
  if (!says || says.day !== row.day) return null;
  const { timestamp } = await publicClient(chainId).getBlock({ blockNumber: tx.blockNumber });
  return { ...says, minedOn: dayNumber(new Date(Number(timestamp) * 1000)) };
}

/** Checks that the leaves hash to the root on chain, and that the log has the entries they name. */
async function compare({ chainId, day, seed }: Anchor, { root }: OnChain): Promise<string[]> {
  const { rootId, position, hash } = auditAnchorLeaves;
  const leaves = await db()
    .select({ rootId, position, hash })
    .from(auditAnchorLeaves)
    .where(and(eq(auditAnchorLeaves.chainId, chainId), eq(auditAnchorLeaves.day, day)));
  if (anchorTree(chainId, day, seed, leaves).root !== root)
    return [`what was anchored on ${date(day)} was changed in the database`];
  const changed = await sql()<{ root_id: string; position: string }[]>`
    select f.root_id, f.position from audit_anchor_leaves f
    left join audit_log l on l.root_id = f.root_id and l.chain_id = f.chain_id and l.position = f.position
    left join audit_checkpoints c on c.root_id = f.root_id and c.chain_id = f.chain_id
    where f.chain_id = ${chainId} and f.day = ${day} and case
      when l.hash is not null or c.position is null or f.position > c.position then l.hash is distinct from f.hash
      when f.position = c.position then c.hash <> f.hash
      else false end
    order by f.root_id, f.position`;
  return changed.map((row) => `${row.root_id}: entry ${row.position} is not the one anchored on ${date(day)}`);
}

/**
 * Returns chains whose entries were deleted too early. The dates in the database prove nothing, but an entry is at
 * least as old as the first anchor that covers it. If no anchor covers the deleted entries, nothing vouches for the
 * rest.
 */
async function leftTooEarly(
  chainId: ChainId,
  days: ReadonlySet<number>,
  today: number,
  auditDays: number | null,
): Promise<string[]> {
  const rows = await sql()<{ root_id: string; position: string; first: number | null }[]>`
    select c.root_id, c.position, min(f.day) as first from audit_checkpoints c
    left join audit_anchor_leaves f on f.chain_id = c.chain_id and f.root_id = c.root_id
      and f.position >= c.position and f.day = any(${`{${[...days].join(",")}}`}::int[])
    where c.chain_id = ${chainId} group by c.root_id, c.position order by c.root_id`;
  return rows.flatMap(({ root_id: rootId, position, first }) => {
    const left = `${rootId}: entries up to ${position} have left the log`;
    if (auditDays === null) return [`${left}, and without AUDIT_RETENTION_DAYS none do`];
    if (first === null) return [`${left}, and no anchor covers them`];
    return today - first < auditDays ? [`${left} before they were anchored for ${auditDays} days`] : [];
  });
}

/** Returns entries dated before a day that neither its anchor nor any earlier one covers. */
async function writtenAfterwards(chainId: ChainId, day: number): Promise<string[]> {
  const rows = await sql().begin("read only", async (tx) => {
    // This reads the whole log, so it needs a sequential scan and no time limit.
    await tx`select set_config('statement_timeout', '0', true), set_config('enable_seqscan', 'on', true)`;
    const found = await tx<{ root_id: string; position: string }[]>`
      select l.root_id, min(l.position) as position from audit_log l
      where l.chain_id = ${chainId} and l.created_at < ${startOf(day).toISOString()} and l.position > coalesce((
        select max(f.position) from audit_anchor_leaves f where f.chain_id = l.chain_id and f.root_id = l.root_id), 0)
      group by l.root_id order by l.root_id`;
    return [...found];
  });
  return rows.map(
    (row) => `${row.root_id}: entry ${row.position} is dated before ${date(day)} and was written after its anchor`,
  );
}
