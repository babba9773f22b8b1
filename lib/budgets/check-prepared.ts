import { and, eq } from "drizzle-orm";
import { type Address, isAddressEqual } from "viem";
import type { Tx } from "@/db/client";
import { notes } from "@/db/schema/ledger";
import { transfers } from "@/db/schema/transfers";
import { readRecord } from "@/lib/chain/registry";
import { ApiError } from "@/lib/errors";
import { EMPTY_BUDGET_WORD, EMPTY_NOTE_WORD } from "@/lib/ledger/crypto/commitments";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { PreparedDocument, PreparedPayment } from "@/lib/ledger/prepare/documents";
import { preparedCall } from "@/lib/ledger/prepare/prepared-call";
import { signerOf } from "@/lib/ledger/prepare/signature";
import type { ChainId } from "@/lib/network";
import { proofHolds } from "./proof-holds";
import { spenderExpired } from "./spender-until";

const LEAST_DEADLINE = 60;
/** The ledger's own bound, less a minute for clocks that differ. */
const MOST_DEADLINE = 24 * 3_600 - 60;

/** A refusal that names a field of the prepared document. */
export function refusePrepared(field: string, message: string): ApiError {
  return new ApiError("invalid_request", message, { param: `prepared.${field}` });
}

/** The refusal of a document built on a state that is no longer the newest. */
export function budgetChanged(): ApiError {
  return new ApiError("budget_changed", "The available balance has changed since this was signed. Build it again.");
}

/** Leaves time for a failed attempt to be made again, and keeps to what the ledger takes. */
export function checkDeadline(deadline: string, now: Date): Date {
  const seconds = Number(deadline) - now.getTime() / 1000;
  if (seconds < LEAST_DEADLINE || seconds > MOST_DEADLINE) {
    throw refusePrepared("deadline", "Set a deadline at least a minute and at most 23 h 59 min ahead.");
  }
  return new Date(Number(deadline) * 1000);
}

/** Words the ledger would refuse, or that would burn money. */
export function checkWords(document: PreparedDocument): void {
  const words = document.kind === "fund" ? [document.new_budget, document.to_new_budget] : [document.new_budget];
  for (const word of words) {
    if (BigInt(word) === 0n || word === EMPTY_BUDGET_WORD) {
      throw refusePrepared("new_budget", "Give the new available balance its own salt, even if it is empty.");
    }
  }
  if (document.kind === "transfer" && (BigInt(document.note) === 0n || document.note === EMPTY_NOTE_WORD)) {
    throw refusePrepared("note", "A payment opens a note of at least one unit.");
  }
}

/** Throws unless the proof holds for exactly what the document says. */
export async function checkProof(scope: Scope, document: PreparedDocument): Promise<void> {
  if (!(await proofHolds(scope, document))) {
    throw refusePrepared("proof", "The proof does not match this document. Build it again.");
  }
}

/**
 * Throws unless the document is signed by one of `wallets`, or by the spender of `spenderOf` while it may sign up to
 * the deadline.
 */
export async function checkSignature(
  scope: Scope,
  chainId: ChainId,
  document: PreparedDocument,
  wallets: readonly Address[],
  spenderOf: Address | null,
): Promise<void> {
  const refused = refusePrepared(
    "signature",
    "Sign the document with the account's wallet or its current payment signing key.",
  );
  let signer: Address;
  try {
    signer = await signerOf(preparedCall(scope, document).digest, document.signature);
  } catch {
    throw refused;
  }
  if (wallets.some((wallet) => isAddressEqual(wallet, signer))) return;
  const record = spenderOf && (await readRecord(chainId, spenderOf));
  if (!record || !isAddressEqual(record.spender, signer)) throw refused;
  if (record.spenderUntil < BigInt(document.deadline)) throw spenderExpired();
}

/** A note is unique for its account and asset, for ever: also among payments under way. */
export async function checkNewNote(tx: Tx, chainId: ChainId, document: PreparedPayment): Promise<void> {
  if (await isNoteTaken(tx, chainId, document)) {
    throw refusePrepared("note", "This note exists already. Build the payment again.");
  }
}

/** Whether the note that a payment would make is there already, or a payment under way makes it. */
export async function isNoteTaken(tx: Tx, chainId: ChainId, document: PreparedPayment): Promise<boolean> {
  if (document.kind !== "transfer") return false;
  const { to, asset, note } = document;
  const [opened] = await tx
    .select({ note: notes.note })
    .from(notes)
    .where(and(eq(notes.chainId, chainId), eq(notes.account, to), eq(notes.asset, asset), eq(notes.note, note)));
  const [underWay] = await tx
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(eq(transfers.note, note), eq(transfers.chainId, chainId), eq(transfers.status, "pending")))
    .limit(1);
  return opened !== undefined || underWay !== undefined;
}
