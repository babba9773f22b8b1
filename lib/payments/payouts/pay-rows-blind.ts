import { and, eq } from "drizzle-orm";
import type { Hex } from "viem";
import { anyOf } from "@/db/any-of";
import { db } from "@/db/client";
import { payoutRows } from "@/db/schema/payouts";
import { refuseDocument } from "@/lib/balances/check-document";
import { assetByAddress } from "@/lib/base/assets";
import type { KeyContext } from "@/lib/base/context/context";
import type { UnsignedRows } from "@/lib/ledger/prepare/documents";
import { blindRows } from "@/lib/payments/blind/blind-rows";
import { claimBatch } from "@/lib/payments/claim-details";
import { countPayment } from "@/lib/payments/count-payment";
import { checkPayer } from "@/lib/payments/create-client-signed-transfer";
import { recordBatch, recordTransfer } from "@/lib/payments/record-transfer";
import { findPayee } from "@/lib/payments/relay-batch";
import { relayClientSigned } from "@/lib/payments/relay-client-signed";
import { linkPaidBefore } from "./change-rows";
import { claimRows, RowsTaken } from "./claim-rows";
import type { Payout } from "./find-payout";
import type { PayoutRowRecord } from "./next-group";

/**
 * Signs and sends pending rows of a payout that a client with a home key has built: one row, or up to 16 with one proof.
 * A row's note is fixed since the payout was accepted, and its row becomes `sent` in the transaction that signs. So the
 * same rows again, from any client, pay nothing twice. Rows that are not pending any more are left as they are.
 *
 * @throws ApiError `key_forbidden`, `available_balance_changed`; `invalid_request` for rows that can't be paid, and for
 *   a document of other rows
 */
export async function payRowsBlind(
  ctx: KeyContext,
  payout: Payout,
  unsigned: UnsignedRows,
  signature: Hex,
): Promise<void> {
  const { chainId, account: payer } = ctx;
  // A row is paid once by its note, so a repetition needs no Idempotency-Key.
  const request = { path: `/v1/payouts/${payout.id}/resume`, idempotencyKey: "" };
  const { document, sign } = await blindRows(ctx, request, unsigned, signature);
  const asset = assetByAddress(chainId, document.asset);
  if (!asset) throw refuseDocument("asset", "This asset is not offered.");
  checkPayer(document, payer, asset);
  const paid = document.kind === "transfer" ? [document] : document.payments;
  const rows = await rowsOfNotes(
    payout,
    paid.map(({ note }) => note),
  );
  if (await linkPaidBefore(ctx, rows)) return;
  if (rows.some(({ status }) => status !== "pending")) return;
  const receivers = await Promise.all(rows.map(({ to }, index) => findPayee(ctx, to, index)));
  for (const [index, { recipient }] of receivers.entries()) {
    if (paid[index]?.to === recipient.address) continue;
    throw refuseDocument("to", "The document pays another address than its row stands for.");
  }
  const payees = receivers.map(({ recipient }, index) => ({ recipient, to: rows[index]?.to ?? "" }));
  const claims = payees.map(({ recipient }, index) => ({
    ctx,
    payment: { payer, recipient: recipient.address, asset: asset.address, confidential: true },
    details: { reference: rows[index]?.reference ?? undefined, payoutId: payout.id },
  }));
  const isNew = receivers.find(({ key }) => key?.pending)?.recipient.address;
  const recipients = payees.map(({ recipient }) => recipient);
  const act = { chainId, payer, asset, recipients, document, isFree: false };
  const send = () =>
    relayClientSigned(
      ctx,
      {
        ...act,
        details: claims.map(({ details }) => details),
        sign,
      },
      async (tx, relayed, signed) => {
        const details = await claimBatch(tx, claims);
        const common = { ...relayed, chainId, payer };
        const [first] = payees;
        if (signed.kind === "transfer_many") {
          const all = payees.map((payee, index) => ({ ...payee, details: details[index] }));
          const batch = { ...common, payees: all, document: signed, after: isNew };
          return { operation: (await recordBatch(tx, batch)).operation, created: undefined };
        }
        if (!first) throw new Error("a payment has a recipient");
        const one = { ...common, ...first, details: details[0], document: signed, afterRecipient: isNew !== undefined };
        return { operation: (await recordTransfer(tx, one)).operation, created: undefined };
      },
      { first: claimRows(payout.id, rows) },
    );
  try {
    await countPayment(send, () => "paid", rows.length);
  } catch (error) {
    // Another request pays them: the client sees what became of them.
    if (!(error instanceof RowsTaken)) throw error;
  }
}

/**
 * Returns the rows of a payout that notes pay, in the order of the notes.
 *
 * @throws ApiError `invalid_request` when a note is that of no row
 */
export async function rowsOfNotes({ id }: Pick<Payout, "id">, notes: readonly Hex[]): Promise<PayoutRowRecord[]> {
  const found = await db()
    .select()
    .from(payoutRows)
    .where(and(eq(payoutRows.payoutId, id), anyOf(payoutRows.note, notes)));
  const rows = notes.flatMap((note) => found.find((row) => row.note === note) ?? []);
  if (rows.length === notes.length && new Set(rows).size === rows.length) return rows;
  throw refuseDocument("note", "The document pays what is no row of this payout.");
}
