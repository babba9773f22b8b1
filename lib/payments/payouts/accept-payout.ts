import { setImmediate as breathe } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { fromNow } from "@/db/from-now";
import { insertRows } from "@/db/insert-rows";
import { payoutRows, payouts } from "@/db/schema/payouts";
import { newestState, syncRequired } from "@/lib/balances/lock";
import type { KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { WATCH_PAYOUT } from "@/lib/base/scheduler/catalogue";
import { scheduleJob } from "@/lib/base/scheduler/schedule-job";
import { scopeOf } from "@/lib/chain/scope-of";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { batchRows } from "@/lib/ledger/encrypted/batch-rows";
import { derivePayoutKey, encryptPayoutKey, encryptPayoutRow, payoutRowSeed } from "@/lib/ledger/encrypted/payout";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { decryptNewest, decryptPaymentSecrets } from "@/lib/payments/payment-secrets";
import type { CheckedRow, PayoutFault } from "./check-rows";
import { type Payout, payoutsWithinReach } from "./find-payout";
import { isAnyNoteMade } from "./is-any-note-made";
import { WORK_MS } from "./work-time";

/** How many rows are computed before other requests get their turn. */
const TURN = 64;

/** The request that creates a payout. */
export interface AskedPayout {
  idempotencyKey: string;
  /** MAC of the request under the API key. */
  fingerprint: Hex;
  /** 32 bytes that only this request with its API key gets again. */
  secret: Uint8Array;
}

function keyOf({ secret, idempotencyKey }: AskedPayout, scope: Scope, account: Address): Uint8Array {
  return derivePayoutKey(secret, scope, account, idempotencyKey);
}

/** Rows per SQL statement. */
const AT_ONCE = 500;

/** Returns a fault for each asset whose available balance does not cover its rows. */
export async function fundsFaults(ctx: KeyContext, rows: readonly CheckedRow[]): Promise<PayoutFault[]> {
  const scope = await scopeOf(ctx.chainId);
  const secrets = await decryptPaymentSecrets(ctx, scope, ctx.account, null);
  try {
    const faults: PayoutFault[] = [];
    for (const asset of new Set(rows.map((row) => row.asset))) {
      const availableId = { chainId: ctx.chainId, account: ctx.account.address, asset: asset.address };
      const newest = await newestState(db(), availableId);
      if (newest.syncRequired) throw syncRequired();
      const { limit } = decryptNewest(scope, availableId, newest, secrets.payer, secrets.secretVersion);
      const total = rows.reduce((sum, row) => (row.asset === asset ? sum + row.amount : sum), 0n);
      if (total <= limit) continue;
      const message = `The available ${asset.symbol} balance does not cover the total of the rows. Make money available first.`;
      faults.push({ row: null, param: "rows", code: "insufficient_balance", message });
    }
    return faults;
  } finally {
    secrets.wipe();
  }
}

/**
 * Reports whether this request was accepted before and partly paid, by a database that has since been restored from an
 * older backup. The same request makes the same notes, so the ledger shows it. Such a payout must not be refused for
 * insufficient funds, since it may have spent them itself.
 */
export async function isAcceptedBefore(
  ctx: KeyContext,
  rows: readonly CheckedRow[],
  asked: AskedPayout,
): Promise<boolean> {
  const { chainId, account } = ctx;
  const scope = await scopeOf(chainId);
  const key = keyOf(asked, scope, account.address);
  try {
    return await isAnyNoteMade(chainId, await notesOfRows(scope, key, rows));
  } finally {
    key.fill(0);
  }
}

/**
 * Stores a payout whose rows have been checked. From here on each row's seed, and so its note, is fixed. Of two
 * concurrent requests with one `Idempotency-Key`, the second gets the first's payout.
 */
export async function acceptPayout(ctx: KeyContext, rows: readonly CheckedRow[], asked: AskedPayout): Promise<Payout> {
  const { idempotencyKey, fingerprint } = asked;
  const { chainId, account, keyId } = ctx;
  const scope = await scopeOf(chainId);
  const id = newId("payout");
  const { secret, authority, secretVersion } = await ctx.unwrap();
  authority.fill(0);
  const key = keyOf(asked, scope, account.address);
  try {
    const encryptedKey = toHex(
      encryptPayoutKey(secret, scope, account.address, { payoutId: id, rows: rows.length }, key),
    );
    const planned = await planRows(scope, id, key, rows);
    return await db().transaction(async (tx) => {
      const now = new Date();
      const [created] = await tx
        .insert(payouts)
        .values({
          id,
          chainId,
          accountId: account.id,
          status: "processing",
          rows: rows.length,
          askedBy: keyId,
          idempotencyKey,
          fingerprint,
          encryptedKey,
          secretVersion,
          workingUntil: fromNow(WORK_MS),
          createdAt: now,
        })
        .onConflictDoNothing()
        .returning();
      if (!created) return await askedBefore(tx, ctx, idempotencyKey);
      for (let at = 0; at < planned.length; at += AT_ONCE) {
        await tx.execute(insertRows(payoutRows, planned.slice(at, at + AT_ONCE)));
      }
      await scheduleJob(tx, WATCH_PAYOUT, { key: id, input: { payoutId: id }, at: created.workingUntil });
      const entry = { rootId: account.id, chainId, actor: actorOf(ctx), target: id };
      await appendAudit(tx, { ...entry, action: "payout.created", after: { rows: rows.length } }, now);
      return created;
    });
  } finally {
    secret.fill(0);
    key.fill(0);
  }
}

async function askedBefore(
  at: Pick<ReturnType<typeof db>, "select">,
  ctx: KeyContext,
  idempotencyKey: string,
): Promise<Payout> {
  const payout = await findAsked(ctx, idempotencyKey, at);
  if (!payout) throw new Error("a payout that exists was not found");
  return payout;
}

/** Returns the payout that this API key created with this `Idempotency-Key`, if there is one. */
export async function findAsked(
  ctx: KeyContext,
  idempotencyKey: string,
  at: Pick<ReturnType<typeof db>, "select"> = db(),
): Promise<Payout | undefined> {
  const [payout] = await at
    .select()
    .from(payouts)
    .where(and(payoutsWithinReach(ctx), eq(payouts.askedBy, ctx.keyId), eq(payouts.idempotencyKey, idempotencyKey)));
  return payout;
}

/** Returns the error for another payout with the `Idempotency-Key` of an earlier one. */
export function otherPayout(): ApiError {
  return new ApiError(
    "idempotency_mismatch",
    "This Idempotency-Key was used with another payout. Use a fresh key for a different one.",
  );
}

/** Returns the notes that the rows of an accepted payout will make. */
async function notesOfRows(scope: Scope, key: Uint8Array, rows: readonly CheckedRow[]): Promise<Hex[]> {
  const notes: Hex[] = [];
  for (const { batch, place, item } of batchRows(rows, ({ asset }) => asset.address)) {
    const { receiver, asset, amount } = item;
    const seed = payoutRowSeed(key, scope, { batch, place });
    notes.push(commitmentToHex(noteOf(seed, scope, receiver.recipient.address, asset.address, amount).commitment));
    if (notes.length % TURN === 0) await breathe();
  }
  return notes;
}

/** Returns the rows of an accepted payout as they are stored: encrypted, each with the note that it will make. */
async function planRows(scope: Scope, payoutId: string, key: Uint8Array, rows: readonly CheckedRow[]) {
  const planned = [];
  for (const { batch, place, item } of batchRows(rows, ({ asset }) => asset.address)) {
    const { row, to, receiver, asset, amount, memo, reference } = item;
    const { address } = receiver.recipient;
    const seed = payoutRowSeed(key, scope, { batch, place });
    const { commitment } = noteOf(seed, scope, address, asset.address, amount);
    const text = { to, address, asset: asset.address, amount, memo, reference };
    planned.push({
      payoutId,
      row,
      batch,
      place,
      note: commitmentToHex(commitment),
      to,
      reference: reference ?? null,
      encrypted: toHex(encryptPayoutRow(key, scope, { payoutId, row, batch, place }, text)),
      status: "pending" as const,
      alone: false,
    });
    if (planned.length % TURN === 0) await breathe();
  }
  return planned;
}
