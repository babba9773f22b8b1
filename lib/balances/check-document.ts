import { sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { clocksOf } from "@/lib/base/clock";
import { ApiError } from "@/lib/base/errors";
import { log } from "@/lib/base/telemetry/log";
import { EMPTY_AVAILABLE_HEX, EMPTY_NOTE_HEX } from "@/lib/ledger/crypto/commitments";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { documentCall } from "@/lib/ledger/prepare/document-call";
import type { SignedDocument } from "@/lib/ledger/prepare/documents";
import { processProver } from "@/lib/prover/process-prover";

const LEAST_DEADLINE = 60;
/** Seconds. The ledger's own bound, less a minute for clocks that differ. */
const MOST_DEADLINE = 24 * 3_600 - 60;

/** Returns the error that names a field of the client-signed document. */
export function refuseDocument(field: string, message: string): ApiError {
  return new ApiError("invalid_request", message, { param: `client_signed.${field}` });
}

/** Returns the error for a document that builds on a state that is no longer the newest. */
export function availableChanged(): ApiError {
  return new ApiError(
    "available_balance_changed",
    "The available balance has changed since this was signed. Build it again.",
  );
}

/**
 * Checks that the deadline leaves time to retry a failed attempt, and that the ledger will accept it.
 *
 * @param deadline Unix time in seconds
 * @throws ApiError `invalid_request` naming `client_signed.deadline`
 */
export function checkDeadline(deadline: string, now: Date): Date {
  const until = new Date(Number(deadline) * 1000);
  const seconds = Number(deadline) - now.getTime() / 1000;
  if (seconds < LEAST_DEADLINE || seconds > MOST_DEADLINE) {
    const message = `Set a deadline at least a minute and at most 23 h 59 min ahead.${clocksOf(until, now)}`;
    throw refuseDocument("deadline", message);
  }
  return until;
}

/** Seconds. How far this machine's clock may be from the database's for a time to be refused by it. */
const CLOCKS_DIFFER = 20;

/**
 * Checks a time that a client chose. If the check refuses it, but this machine's clock is not the database's, that is the
 * reason: the client has nothing to correct, and another server may take the same document.
 *
 * @throws ApiError what the check throws; `unavailable` if this machine's clock is the reason
 */
export async function checkByClock<T>(check: () => T): Promise<T> {
  try {
    return check();
  } catch (error) {
    const [row] = await db().execute<{ now: number }>(sql`select extract(epoch from clock_timestamp())::float8 as now`);
    const ahead = Date.now() / 1_000 - Number(row?.now);
    if (!(Math.abs(ahead) > CLOCKS_DIFFER)) throw error;
    log().error({ ahead }, "this machine's clock differs from the database's");
    throw new ApiError("unavailable", "The service's clocks differ. Try again.", { retryAfter: 30 });
  }
}

/**
 * Refuses commitments that the ledger would refuse, or that would burn money.
 *
 * @throws ApiError `invalid_request` naming the field
 */
export function checkCommitments(document: SignedDocument): void {
  const commitments =
    document.kind === "fund" ? [document.new_available, document.to_new_available] : [document.new_available];
  for (const commitment of commitments) {
    if (BigInt(commitment) === 0n || commitment === EMPTY_AVAILABLE_HEX) {
      throw refuseDocument("new_available", "Give the new available balance its own salt, even if it is empty.");
    }
  }
  for (const { note, field } of notesOf(document)) {
    if (BigInt(note) === 0n || note === EMPTY_NOTE_HEX) {
      throw refuseDocument(field, "A payment opens a note of at least one unit.");
    }
  }
}

/** Returns the notes that a document creates, and the field that holds each. */
export function notesOf(document: SignedDocument): { to: Address; note: Hex; field: string }[] {
  switch (document.kind) {
    case "transfer":
    case "spend":
      return [{ to: document.to, note: document.note, field: "note" }];
    case "transfer_many":
      return document.payments.map(({ to, note }, index) => ({ to, note, field: `payments.${index}.note` }));
    case "release":
    case "spend_public":
    case "fund":
    case "make_available":
      return [];
  }
}

/**
 * Verifies that the proof holds for exactly what the document says.
 *
 * @throws ApiError `invalid_request` naming `client_signed.proof`
 */
export async function checkProof(scope: Scope, document: SignedDocument): Promise<void> {
  if (!(await proofHolds(scope, document))) {
    throw refuseDocument("proof", "The proof does not match this document. Build it again.");
  }
}

/** Reports whether the proof of a client's document holds for what the document says. */
async function proofHolds(scope: Scope, document: SignedDocument): Promise<boolean> {
  const { circuit, publicSignals } = documentCall(scope, document);
  return (await processProver()).verify(circuit, document.proof, publicSignals);
}
