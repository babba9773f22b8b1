import type { Hex } from "viem";
import { type Decimals, parseAmount } from "@/lib/base/money";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { batchRows } from "@/lib/ledger/encrypted/batch-rows";
import { encryptPayoutRow, payoutRowSeed } from "@/lib/ledger/encrypted/payout";
import { normalReference } from "@/lib/ledger/plain-text";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { noteOf } from "@/lib/ledger/prepare/note-parts";
import { HalcyonError } from "../../api/errors";
import type { PayoutRowInput } from "../../api/resources/payouts";

/** A payout whose rows are encrypted. */
interface Encrypting {
  scope: Scope;
  key: Uint8Array;
  payoutId: string;
  assets: readonly { symbol: string; address: Hex; decimals: Decimals }[];
  addressOf: ReadonlyMap<string, string | null>;
}

/**
 * Encrypts the rows of a payout under its key, which also fixes each row's note.
 *
 * @throws HalcyonError `unavailable` for a row without an account
 */
export function encryptRows(rows: readonly PayoutRowInput[], { scope, key, payoutId, assets, addressOf }: Encrypting) {
  const numbered = rows.map((text, index) => ({ text, row: index + 1 }));
  return batchRows(numbered, ({ text }) => text.asset ?? "USDG").map(({ batch, place, item }) => {
    const { to, amount, asset: symbol = "USDG", memo, reference } = item.text;
    const asset = assets.find((one) => one.symbol === symbol);
    const address = addressOf.get(to);
    if (!asset || !address)
      throw new HalcyonError("unavailable", "The service names no account for a row. Check the file again.");
    const recipient = lowerCase(address as Hex);
    const units = parseAmount(amount, asset.decimals);
    const seed = payoutRowSeed(key, scope, { batch, place });
    const { commitment } = noteOf(seed, scope, recipient, lowerCase(asset.address), units);
    const text = {
      to,
      address: recipient,
      asset: lowerCase(asset.address),
      amount: units,
      ...(memo !== undefined && { memo }),
      ...(reference !== undefined && { reference: normalReference(reference) }),
    };
    const ref = { payoutId, row: item.row, batch, place };
    return {
      row: item.row,
      batch,
      place,
      note: commitmentToHex(commitment),
      to,
      reference: text.reference ?? null,
      ciphertext: toHex(encryptPayoutRow(key, scope, ref, text)),
    };
  });
}
