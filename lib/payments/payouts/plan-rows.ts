import { setImmediate as breathe } from "node:timers/promises";
import type { Hex } from "viem";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { batchRows } from "@/lib/ledger/encrypted/batch-rows";
import { encryptPayoutRow, payoutRowSeed } from "@/lib/ledger/encrypted/payout";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import type { CheckedRow } from "./check-rows";

/** How many rows are computed before other requests get their turn. */
const TURN = 64;

/** Returns the notes that the rows of an accepted payout will make. */
export async function notesOfRows(scope: Scope, key: Uint8Array, rows: readonly CheckedRow[]): Promise<Hex[]> {
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
export async function planRows(scope: Scope, payoutId: string, key: Uint8Array, rows: readonly CheckedRow[]) {
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
