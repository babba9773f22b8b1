import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import { notesOf, refuseDocument } from "@/lib/balances/check-document";
import type { ChainId } from "@/lib/base/network";
import type { SignedPayment, SignedTransferMany } from "@/lib/ledger/prepare/documents";
import { AlreadyPaid, type HowMade } from "./already-paid";

type AnyPayment = SignedPayment | SignedTransferMany;

/**
 * Checks that everything the ledger accepts only once is new: each note by account and asset, and the id of a public
 * payment or a move. Pending payments count.
 *
 * @throws ApiError `invalid_request` naming the field
 */
export async function checkNew(tx: Tx, chainId: ChainId, document: AnyPayment): Promise<void> {
  const field = await takenField(tx, chainId, document);
  if (field === null) return;
  const what = field === "payment_id" ? "payment id" : "note";
  throw refuseDocument(field, `This ${what} exists already. Build the payment again.`);
}

/**
 * Refuses a payment that is fixed in advance if the ledger would, whatever its row says.
 *
 * @throws AlreadyPaid
 */
export async function refuseAlreadyPaid(tx: Tx, chainId: ChainId, document: AnyPayment): Promise<void> {
  if ((await takenField(tx, chainId, document)) !== null) throw new AlreadyPaid(await howMade(tx, chainId, document));
}

/**
 * Returns how the notes of a payment were made. A note does not show who made it, and its recipient knows its amount
 * and salt from the first attempt. So it counts as paid only if its own payer has made every note.
 */
async function howMade(tx: Tx, chainId: ChainId, document: AnyPayment): Promise<HowMade> {
  let how: HowMade = "paid";
  for (const { to, note } of notesOf(document)) {
    const own = await ownNote(tx, chainId, document, { to, note });
    if (own === "taken") return own;
    if (own === "pending") how = own;
  }
  // Payment ids are each payer's own.
  return how;
}

async function ownNote(
  tx: Tx,
  chainId: ChainId,
  { account: payer, asset }: AnyPayment,
  { to, note }: Record<"to" | "note", Hex>,
): Promise<HowMade> {
  const [found] = await tx.execute<{ paid: boolean; pending: boolean }>(sql`
    select exists (
        select 1 from notes where chain_id = ${chainId} and account = ${bytesOf(to)} and asset = ${bytesOf(asset)}
          and note = ${bytesOf(note)} and source = 'transfer' and sender = ${bytesOf(payer)}
      ) as paid, exists (
        select 1 from transfers t join accounts a on a.id = t.payer_id
        where t.note = ${bytesOf(note)} and t.chain_id = ${chainId} and t.status = 'pending'
          and t.recipient_address = ${bytesOf(to)} and t.asset = ${bytesOf(asset)} and a.address = ${bytesOf(payer)}
      ) as pending`);
  return found?.paid ? "paid" : found?.pending ? "pending" : "taken";
}

async function takenField(tx: Tx, chainId: ChainId, document: AnyPayment): Promise<string | null> {
  const notes = notesOf(document);
  for (const [index, { to, note, field }] of notes.entries()) {
    const twice = notes.slice(0, index).some((other) => other.to === to && other.note === note);
    if (twice || (await isNoteTaken(tx, chainId, { to, note, asset: document.asset }))) return field;
  }
  const used = "payment_id" in document && (await isIdUsed(tx, chainId, document));
  return used ? "payment_id" : null;
}

const bytesOf = (hex: Hex) => Buffer.from(hex.slice(2), "hex");

async function isNoteTaken(tx: Tx, chainId: ChainId, { to, asset, note }: Record<"to" | "asset" | "note", Hex>) {
  const [found] = await tx.execute<{ taken: boolean }>(sql`
    select exists (
        select 1 from notes where chain_id = ${chainId} and account = ${bytesOf(to)} and asset = ${bytesOf(asset)}
          and note = ${bytesOf(note)}
      ) or exists (
        select 1 from transfers where note = ${bytesOf(note)} and chain_id = ${chainId} and status = 'pending'
      ) as taken`);
  return found?.taken === true;
}

/** The ledger stores the ids of moves with the owner, whichever side the owner is on. */
async function isIdUsed(tx: Tx, chainId: ChainId, d: Extract<AnyPayment, { payment_id: Hex }>): Promise<boolean> {
  const id = bytesOf(d.payment_id);
  const other = d.kind === "fund" ? d.to : d.account;
  const [found] = await tx.execute<{ used: boolean }>(sql`
    select exists (
        select 1 from ledger_payments where chain_id = ${chainId}
          and payer in (${bytesOf(d.account)}, ${bytesOf(other)}) and known_by = ${id}
      ) or exists (
        select 1 from transfers where payment_id = ${id} and chain_id = ${chainId} and status = 'pending'
      ) as used`);
  return found?.used === true;
}
