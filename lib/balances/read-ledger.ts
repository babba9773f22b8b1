import { and, eq, gt, inArray, isNull, ne, sql } from "drizzle-orm";
import { union } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { db, type Tx } from "@/db/client";
import { availableCommitments, availableStates, depositedBalances } from "@/db/schema/ledger";
import { rebuiltPayments } from "@/db/schema/transfers";
import { assetBySymbol, assetsOf } from "@/lib/base/assets";
import type { SessionContext } from "@/lib/base/context/context";
import { earliestOpenPayment } from "@/lib/base/earliest-payment";
import type { ChainId } from "@/lib/base/network";
import { EMPTY_AVAILABLE_HEX } from "@/lib/ledger/crypto/commitments";
import { availableDeposited, availableNotes, type NotePlace, newestNote, nextNonce, readReserved } from "./available";
import { type AvailableId, newestState, statesAt } from "./lock";
import type { LedgerQuery } from "./schema";

const NOTES_AT_ONCE = 500;
/**
 * The limit over all available balances of one read, divided equally among them. The rest of an available balance's
 * notes is read with that available balance alone.
 */
const NOTES_OF_ALL = 5_000;
/** A read-only snapshot, so that several tables are read as of the same moment. */
const SNAPSHOT = { isolationLevel: "repeatable read", accessMode: "read only" } as const;

/** Returns what the owner's client needs of one available balance. Everything but the deposited money is encrypted. */
async function ledgerIn(tx: Tx, availableId: AvailableId, symbol: string, most = NOTES_AT_ONCE, after?: NotePlace) {
  const reserved = await readReserved(tx, availableId);
  const deposited = await availableDeposited(tx, availableId, reserved);
  const open = await availableNotes(tx, availableId, reserved, { after, limit: most + 1 });
  const page = open.slice(0, most);
  const more = open.length > most;
  const last = page.at(-1);
  const newest = await newestState(tx, availableId);
  // The last state before the owner changed the available balance without the service. A client that syncs takes an
  // agent's counters from it.
  const [past] = newest.syncRequired
    ? await tx
        .select({ commitment: availableStates.commitment, encrypted: availableStates.encrypted })
        .from(availableStates)
        .where(statesAt(availableId, "past"))
    : [];
  const [final] = await tx
    .select({ commitment: availableCommitments.commitment })
    .from(availableCommitments)
    .where(
      and(
        eq(availableCommitments.chainId, availableId.chainId),
        eq(availableCommitments.account, availableId.account),
        eq(availableCommitments.asset, availableId.asset),
      ),
    );
  return {
    account: availableId.account,
    asset: symbol,
    asset_address: availableId.asset,
    nonce: (await nextNonce(tx, availableId)).toString(),
    deposited: deposited.toString(),
    available: {
      commitment: final?.commitment ?? EMPTY_AVAILABLE_HEX,
      newest_commitment: newest.commitment,
      encrypted: newest.state?.encrypted ?? null,
      flag: newest.state?.flag ?? null,
      secret_version: newest.state?.secretVersion ?? null,
      sync_required: newest.syncRequired,
      past: past ?? null,
    },
    notes: page.map((note) => ({
      note: note.note,
      source: note.source,
      sender: note.sender,
      ciphertext: note.ciphertext,
      new_available: note.newAvailable,
      block: note.blockNumber.toString(),
      tx_hash: note.txHash,
    })),
    has_more: more,
    next: more && last ? `${last.blockNumber}.${last.logIndex}` : null,
    // Reserved notes are left out, and come back if their move to the available balance fails: a client must not take
    // the page for final.
    reserved: reserved.notes.size > 0,
    newest_note: more ? await newestNote(tx, availableId) : (last?.note ?? null),
  };
}

/**
 * Returns what the owner's client needs for a move to the available balance: nonce, free deposited money, unspent notes
 * with their ciphertexts, and the newest available balance state. Everything but the deposited money is encrypted. The
 * notes come in pages: `next` of one is `after` of the following one.
 */
export async function readLedger(ctx: SessionContext, input: LedgerQuery) {
  const asset = assetBySymbol(ctx.chainId, input.asset);
  const availableId = { chainId: ctx.chainId, account: ctx.account.address, asset: asset.address };
  return db().transaction(async (tx) => {
    const ledger = await ledgerIn(tx, availableId, asset.symbol, NOTES_AT_ONCE, input.after);
    return { ...ledger, request_tags_wanted: await tagsWanted(tx, ctx) };
  }, SNAPSHOT);
}

/** Returns the available balances of these accounts that have ever held anything; all others are empty. */
async function availableBalancesInUse(tx: Tx, chainId: ChainId, accounts: Address[]) {
  const commitment = { account: availableCommitments.account, asset: availableCommitments.asset };
  const state = { account: availableStates.account, asset: availableStates.asset };
  const deposited = { account: depositedBalances.account, asset: depositedBalances.asset };
  const held = union(
    tx
      .select(commitment)
      .from(availableCommitments)
      .where(and(eq(availableCommitments.chainId, chainId), inArray(availableCommitments.account, accounts))),
    tx
      .select(state)
      .from(availableStates)
      .where(
        and(
          eq(availableStates.chainId, chainId),
          inArray(availableStates.account, accounts),
          inArray(availableStates.status, ["pending", "final"]),
        ),
      ),
    tx
      .select(deposited)
      .from(depositedBalances)
      .where(
        and(
          eq(depositedBalances.chainId, chainId),
          inArray(depositedBalances.account, accounts),
          ne(depositedBalances.units, 0n),
        ),
      ),
  );
  const found = (await Promise.all([held, withNotes(tx, chainId, accounts)])).flat();
  return [...new Map(found.map((available) => [`${available.account} ${available.asset}`, available])).values()];
}

/**
 * Returns the available balances with an unspent note. An account may have any number of them, so it looks for one of
 * each asset: without the limit, PostgreSQL may read all unspent notes and join them.
 */
async function withNotes(tx: Tx, chainId: ChainId, accounts: Address[]) {
  const texts = (list: readonly Address[]) => sql.param(list.map((address) => `\\x${address.slice(2)}`));
  const assets = assetsOf(chainId).map(({ address }) => address);
  const rows = await tx.execute<{ account: Buffer; asset: Buffer }>(sql`
    select b.account, b.asset
    from (
      select * from unnest(${texts(accounts)}::text[]::bytea[]) as a(account),
        unnest(${texts(assets)}::text[]::bytea[]) as s(asset)
    ) b, lateral (
      select from notes n where n.chain_id = ${chainId} and n.account = b.account and n.asset = b.asset and not n.spent
      limit 1
    ) one`);
  const hexOf = (bytes: Buffer): Address => `0x${bytes.toString("hex")}`;
  return rows.map(({ account, asset }) => ({ account: hexOf(account), asset: hexOf(asset) }));
}

/**
 * Does the same as {@link readLedger} for several accounts and every asset, in one snapshot. Available balances that
 * have never held anything are left out.
 *
 * @param accounts must be the caller's own account and its agents: this function does not check
 */
export async function readLedgersOf(ctx: SessionContext, accounts: Address[]) {
  const symbols = new Map(assetsOf(ctx.chainId).map(({ address, symbol }) => [address, symbol]));
  return db().transaction(async (tx) => {
    const inUse = await availableBalancesInUse(tx, ctx.chainId, accounts);
    const most = Math.min(NOTES_AT_ONCE, Math.ceil(NOTES_OF_ALL / inUse.length));
    // The queries are pipelined on one connection: none waits for the result of the one before.
    const ledgers = inUse.map(({ account, asset }) => {
      const symbol = symbols.get(asset);
      return symbol === undefined ? [] : [ledgerIn(tx, { chainId: ctx.chainId, account, asset }, symbol, most)];
    });
    return { ledgers: await Promise.all(ledgers.flat()), request_tags_wanted: await tagsWanted(tx, ctx) };
  }, SNAPSHOT);
}

/**
 * Reports whether recent payments of the account or its agents were rebuilt from the chain and still lack the tag that
 * only the owner's client can provide.
 */
async function tagsWanted(tx: Tx, { account, chainId }: SessionContext, now = new Date()): Promise<boolean> {
  const [wanted] = await tx
    .select({ id: rebuiltPayments.transferId })
    .from(rebuiltPayments)
    .where(
      and(
        eq(rebuiltPayments.rootId, account.rootId),
        eq(rebuiltPayments.chainId, chainId),
        gt(rebuiltPayments.paidAt, earliestOpenPayment(now)),
        isNull(rebuiltPayments.tag),
      ),
    )
    .limit(1);
  return wanted !== undefined;
}
