import { and, asc, desc, eq, gte, lt, notExists, sql } from "drizzle-orm";
import { type Address, isAddressEqual } from "viem";
import { db, type Tx, withoutTimeouts } from "@/db/client";
import { insertRows } from "@/db/insert-rows";
import { auditAnchorLeaves, auditAnchors, auditAnchorsFinal } from "@/db/schema/audit";
import type { ChainId } from "@/lib/base/network";
import { tryChainLock } from "@/lib/chain/advisory-lock";
import { agreedReceipt } from "@/lib/chain/ask/agreed-receipt";
import { sendRaw } from "@/lib/chain/broadcast";
import { chainEnv } from "@/lib/chain/clients";
import { currentFees, type Fees } from "@/lib/chain/fees";
import { GAS_LIMIT } from "@/lib/chain/gas";
import { ANCHOR_POSITION, relayerAccounts, type TransactionSigner } from "@/lib/chain/relayer";
import { signTransaction } from "@/lib/chain/sign-transaction";
import { usedNonces } from "@/lib/chain/used-nonces";
import { randomBytes, toHex } from "@/lib/ledger/crypto/bytes";
import { anchorCalldata, dayNumber, startOf } from "./anchor-calldata";
import { type AnchoredHead, anchorTree } from "./anchor-tree";
import { signerOf } from "./signer-of";

/** How long after midnight a day is anchored: by then, every entry of the day before has committed. */
const SETTLED_MS = 5 * 60_000;
const FINAL_AT_ONCE = 20;

/**
 * Anchors the audit log of a network once per UTC day (docs/design/database.md): the heads of all chains
 * that have grown since the last anchor go under one root, as calldata of a transaction that the anchors' account sends
 * to itself. Transactions that are not yet on chain are sent again. Any number of workers may run it at once.
 *
 * @throws Error if the chain can't be reached or the account has no ether; the next call sends what was signed
 */
export async function anchorHeads(chainId: ChainId, now = new Date()): Promise<void> {
  const day = dayNumber(now);
  const [signer, ...previous] = relayerAccounts(chainId, ANCHOR_POSITION);
  if (!signer) throw new Error("there is always a seed");
  const { address } = signer;
  const isDue = now.getTime() - startOf(day).getTime() >= SETTLED_MS;
  if (isDue && !(await isAnchored(chainId, day))) {
    const [used, fees] = await Promise.all([usedNonces(chainId, address, "latest"), currentFees(chainId)]);
    await anchor(chainId, day, { signer, used, fees, now });
  }
  for (const account of [...previous, signer]) await sendAgain(chainId, account.address);
}

/** Sends again the anchors of an account that no final block contains yet. */
async function sendAgain(chainId: ChainId, address: Address): Promise<void> {
  const { finality } = chainEnv(chainId);
  const final = await usedNonces(chainId, address, finality);
  const open = await db()
    .select({ raw: auditAnchors.raw })
    .from(auditAnchors)
    .where(and(eq(auditAnchors.chainId, chainId), gte(auditAnchors.nonce, final)))
    .orderBy(asc(auditAnchors.nonce));
  for (const { raw } of open) if (isAddressEqual(await signerOf(raw), address)) await sendRaw(chainId, raw);
  await recordFinal(chainId, address, final);
}

/** Records which anchors of an account are final. Entries that no final anchor covers never leave the log. */
async function recordFinal(chainId: ChainId, address: Address, final: number): Promise<void> {
  const { day, nonce, txHash, raw } = auditAnchors;
  const noted = db()
    .select({ day: auditAnchorsFinal.day })
    .from(auditAnchorsFinal)
    .where(and(eq(auditAnchorsFinal.chainId, chainId), eq(auditAnchorsFinal.day, day)));
  const candidates = await db()
    .select({ day, txHash, raw })
    .from(auditAnchors)
    .where(and(eq(auditAnchors.chainId, chainId), lt(nonce, final), notExists(noted)))
    .orderBy(desc(day))
    .limit(FINAL_AT_ONCE);
  for (const { day, txHash: hash, raw } of candidates) {
    if (!isAddressEqual(await signerOf(raw), address)) continue;
    // A used nonce proves little: after restoring a backup, another transaction may have used it.
    const receipt = await agreedReceipt(chainId, hash);
    if (receipt && BigInt(receipt.status) === 1n)
      await db().insert(auditAnchorsFinal).values({ chainId, day }).onConflictDoNothing();
  }
}

async function isAnchored(chainId: ChainId, day: number): Promise<boolean> {
  const [newest] = await db()
    .select({ day: auditAnchors.day })
    .from(auditAnchors)
    .where(eq(auditAnchors.chainId, chainId))
    .orderBy(desc(auditAnchors.day))
    .limit(1);
  return newest !== undefined && newest.day >= day;
}

/** The state of the chain: how many nonces of the account are used, and the gas fees. */
interface Moment {
  signer: TransactionSigner;
  used: number;
  fees: Fees;
  now: Date;
}

/**
 * Anchors a day in three steps: read, sign, write. No lock is held while a KMS signs. If the process ends before the
 * write, nothing remains and the signed transaction is never sent, so the next call starts over.
 */
async function anchor(chainId: ChainId, day: number, { signer, used, fees, now }: Moment): Promise<void> {
  const nonce = await nextNonce(db(), chainId, signer.address, used);
  // One leaf per owner. With very many owners this takes a while, but nothing waits for it.
  const heads = await db().transaction(async (tx) => {
    await withoutTimeouts(tx);
    return grownSince(tx, chainId);
  });
  const seed = toHex(randomBytes(32));
  const root = anchorTree(chainId, day, seed, heads).root;
  const call = { target: signer.address, data: anchorCalldata(day, root), value: 0n, gas: GAS_LIMIT.gas };
  const { hash: txHash, raw } = await signTransaction(chainId, signer, nonce, call, fees);
  await db().transaction(async (tx) => {
    if (!(await tryChainLock(tx, "anchors", chainId))) return;
    await withoutTimeouts(tx);
    const [last] = await tx
      .select({ day: auditAnchors.day })
      .from(auditAnchors)
      .where(eq(auditAnchors.chainId, chainId))
      .orderBy(desc(auditAnchors.day))
      .limit(1);
    // Another worker was first.
    if (last && last.day >= day) return;
    // Another worker has anchored the day before with this nonce in the meantime. The next call signs with the
    // following one.
    if ((await nextNonce(tx, chainId, signer.address, used)) !== nonce) return;
    const leaves = heads.map((head) => ({ ...head, chainId, day }));
    if (leaves.length > 0) await tx.execute(insertRows(auditAnchorLeaves, leaves));
    await tx.insert(auditAnchors).values({ chainId, day, nonce, seed, root, txHash, raw, createdAt: now });
  });
}

type Reader = Pick<Tx, "select">;

/**
 * How many recent anchors are searched for the account's last nonce. Old and new accounts may alternate within them.
 */
const REMEMBERED = 50;

/**
 * Returns the nonce that an account signs next. Usually it follows the account's last anchor in the database. After
 * restoring a backup the chain may be ahead of the database: then the chain's count wins, and the verification reports
 * the anchors that the database lacks. A new account starts with the chain's count.
 */
async function nextNonce(reader: Reader, chainId: ChainId, address: Address, used: number): Promise<number> {
  const recent = await reader
    .select({ nonce: auditAnchors.nonce, raw: auditAnchors.raw })
    .from(auditAnchors)
    .where(eq(auditAnchors.chainId, chainId))
    .orderBy(desc(auditAnchors.day))
    .limit(REMEMBERED);
  for (const { nonce, raw } of recent) {
    if (isAddressEqual(await signerOf(raw), address)) return Math.max(used, nonce + 1);
  }
  return used;
}

/** Returns the heads of the chains that have grown since they were last anchored. */
async function grownSince(tx: Tx, chainId: ChainId): Promise<AnchoredHead[]> {
  const rows = await tx.execute<{ root_id: string; position: string; hash: Buffer }>(sql`
    select h.root_id, h.position, h.hash from audit_heads h
    where h.chain_id = ${chainId}::int and not exists (
      select from audit_anchor_leaves l
      where l.chain_id = h.chain_id and l.root_id = h.root_id and l.position >= h.position)`);
  return rows.map(({ root_id: rootId, position, hash }) => {
    return { rootId, position: Number(position), hash: toHex(new Uint8Array(hash)) };
  });
}
