import { formatAmount } from "@/lib/base/money";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import {
  decryptPayoutKey,
  decryptPayoutRow,
  derivePayoutKey,
  encryptPayoutKey,
  type PayoutRow as PayoutRowText,
} from "@/lib/ledger/encrypted/payout";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { decryptAvailable, readView } from "../../account/funds/funds";
import type { TransferWithCopies } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import { requireSameId } from "../../api/require-same-id";
import type { EncryptedPayoutRow, Payout, PayoutRow, PayoutRowInput, PayoutRowList } from "../../api/resources/payouts";
import { callApi } from "../../context/call-api";
import type { Context } from "../../context/context";
import { payerParty } from "../payment-plan";
import { withCopies } from "../transfers/with-copies";
import { encryptRows } from "./encrypt-rows";
import { type CheckedName, findFaults, type PayoutFault } from "./find-faults";
import { newPayoutId } from "./new-payout-id";

/** Number of rows sent with one request. */
export const ROWS_AT_ONCE = 200;
/** Number of rows read with one request. */
const PAGE = 100;

/** A row with its encrypted text beside its other fields. */
export interface PayoutRowWithText extends Omit<PayoutRow, "encrypted">, Omit<EncryptedPayoutRow, "transfer"> {
  /** Its payment, with the copies that this account can decrypt; null until it is sent. */
  transfer: TransferWithCopies | null;
}

/** @throws HalcyonError `unavailable` for a row without its text */
function withText({ encrypted, ...row }: PayoutRow): PayoutRowWithText {
  if (!encrypted) throw new HalcyonError("unavailable", "The service's response lacks the encrypted rows.");
  const { transfer, ...text } = encrypted;
  return { ...row, ...text, transfer: transfer && withCopies(transfer) };
}

/** A row, decrypted on this machine. `text` is null if it can't be decrypted, or was deleted with its payout's key. */
export interface DecryptedPayoutRow {
  row: PayoutRowWithText;
  text: (PayoutRowText & { amountText: string; symbol: string }) | null;
}

/** A payout, with the key that decrypts its rows. */
export interface DecryptedPayout {
  /** `batches`: in how many its rows were accepted; undefined if an older service does not say. */
  payout: Payout & { batches?: number };
  /** Null once the payout is finished or cancelled: its key is deleted. */
  key: Uint8Array | null;
}

/** Asks the service which accounts recipients of a payout stand for. */
export async function namesOf(context: Context, to: readonly string[]): Promise<CheckedName[]> {
  if (to.length === 0) return [];
  const json = { names: [...new Set(to)] };
  const session = await context.session();
  const request = { json, query: { dry_run: "true" }, reads: true };
  return (await session.call<{ names: CheckedName[] }>("POST", "/v1/payouts", request)).names;
}

/**
 * Finds every fault of a payout. The service checks names; everything else is checked here. Amounts don't leave this
 * machine.
 */
export async function checkByWallet(
  context: Context,
  rows: readonly PayoutRowInput[],
  allowDuplicates = false,
): Promise<{ faults: PayoutFault[]; names: CheckedName[] }> {
  const [names, { assets }, party, scope] = await Promise.all([
    namesOf(
      context,
      rows.map(({ to }) => to),
    ),
    context.info(),
    payerParty(context, undefined),
    context.scope(),
  ]);
  const available = new Map<string, bigint>();
  for (const asset of assets) {
    if (!rows.some((row) => (row.asset ?? "USDG") === asset.symbol)) continue;
    const view = await readView(context, party, asset);
    available.set(asset.symbol, decryptAvailable(scope, party, asset.address, view).limit);
  }
  return { faults: findFaults(rows, { names, assets, allowDuplicates, available }), names };
}

/**
 * Stores a payout with the service: encrypts its rows on this machine, which also fixes each row's note. Pays nothing
 * yet.
 *
 * @throws HalcyonError `invalid_request` when a row has a fault
 */
export async function acceptByWallet(
  context: Context,
  rows: readonly PayoutRowInput[],
  { allowDuplicates = false, payoutId = newPayoutId() }: { allowDuplicates?: boolean; payoutId?: string } = {},
): Promise<Payout> {
  const { faults, names } = await checkByWallet(context, rows, allowDuplicates);
  if (faults.length > 0) {
    throw new HalcyonError("invalid_request", "Some rows can't be paid. Nothing was accepted.", { param: "rows" });
  }
  const [scope, { secret, secretVersion, seedKey }, { assets }] = await Promise.all([
    context.scope(),
    context.vault(),
    context.info(),
  ]);
  const account = lowerCase(context.wallet.address);
  const key = derivePayoutKey(seedKey, scope, account, `wallet/${payoutId}`);
  const addressOf = new Map(names.map(({ to, address }) => [to, address]));
  const encryptedRows = encryptRows(rows, { scope, key, payoutId, assets, addressOf });
  const write = (path: `/v1/payouts${string}`, json: object) =>
    requireSameId("payout_id", payoutId, callApi<Payout>(context, "POST", path, { json, by: "session" }), true);
  const encrypted = {
    payout_id: payoutId,
    rows: rows.length,
    encrypted_key: toHex(encryptPayoutKey(secret, scope, account, { payoutId, rows: rows.length }, key)),
    secret_version: secretVersion,
  };
  let payout = await write("/v1/payouts", { encrypted });
  for (let at = 0; at < encryptedRows.length; at += ROWS_AT_ONCE) {
    payout = await write(`/v1/payouts/${payoutId}/rows`, { rows: encryptedRows.slice(at, at + ROWS_AT_ONCE) });
  }
  return payout;
}

/**
 * Reads a payout of the account and decrypts its key, if it still has one.
 *
 * @throws HalcyonError `key_forbidden` when it is encrypted under another account secret; DecryptionFailed when the
 * service names another number of rows than it was accepted with
 */
export async function decryptPayout(context: Context, payoutId: string): Promise<DecryptedPayout> {
  const [scope, { secret, secretVersion }] = await Promise.all([context.scope(), context.vault()]);
  const path = `/v1/payouts/${encodeURIComponent(payoutId)}` as const;
  const asked = callApi<Payout>(context, "GET", path, { query: { include: "encrypted" }, by: "session" });
  const { encrypted, ...found } = await requireSameId("payout_id", payoutId, asked);
  const payout = { ...found, ...(encrypted && { batches: encrypted.batches }) };
  if (!encrypted || encrypted.encrypted_key === "0x") return { payout, key: null };
  if (encrypted.secret_version !== secretVersion) {
    throw new HalcyonError(
      "key_forbidden",
      "This payout can't be decrypted with this account's secret. If you have rotated it, run the rotation again.",
    );
  }
  const account = lowerCase(context.wallet.address);
  const ref = { payoutId, rows: payout.rows };
  return { payout, key: decryptPayoutKey(secret, scope, account, ref, fromHex(encrypted.encrypted_key)) };
}

/** Selects the rows to read. */
export interface RowsInput {
  status?: PayoutRow["status"] | undefined;
  /** Only the rows of one proof. */
  batch?: number | undefined;
  limit?: number | undefined;
  /** The number of a row: reads those after it. */
  startingAfter?: number | undefined;
}

/** Reads a page of a payout's rows and decrypts each on this machine. */
export async function decryptRows(
  context: Context,
  { payout, key }: DecryptedPayout,
  { startingAfter, ...query }: RowsInput = {},
): Promise<{ rows: DecryptedPayoutRow[]; hasMore: boolean }> {
  const [scope, { assets }] = await Promise.all([context.scope(), context.info()]);
  const path = `/v1/payouts/${encodeURIComponent(payout.payout_id)}/rows` as const;
  const asked = { limit: PAGE, ...query, starting_after: startingAfter, include: "encrypted" };
  const page = await callApi<PayoutRowList>(context, "GET", path, { query: asked });
  const rows = page.rows.map(withText);
  return { rows: rows.map((row) => ({ row, text: textOf(row) })), hasMore: page.has_more };

  function textOf(row: PayoutRowWithText): DecryptedPayoutRow["text"] {
    if (key === null) return null;
    try {
      const ref = { payoutId: payout.payout_id, row: row.row, batch: row.batch, place: row.place };
      const text = decryptPayoutRow(key, scope, ref, fromHex(row.ciphertext));
      const asset = assets.find((one) => lowerCase(one.address) === text.asset);
      if (!asset) return null;
      return { ...text, symbol: asset.symbol, amountText: formatAmount(text.amount, asset.decimals) };
    } catch {
      return null;
    }
  }
}

/** Reads every row of a payout, or every row with a status, page by page. */
export async function decryptAllRows(
  context: Context,
  opened: DecryptedPayout,
  status?: PayoutRow["status"],
): Promise<DecryptedPayoutRow[]> {
  const all: DecryptedPayoutRow[] = [];
  for (let startingAfter: number | undefined; ; ) {
    const { rows, hasMore } = await decryptRows(context, opened, { status, startingAfter });
    all.push(...rows);
    startingAfter = rows.at(-1)?.row.row;
    if (!hasMore || startingAfter === undefined) return all;
  }
}
