import { type Address, encodeAbiParameters, keccak256 } from "viem";
import {
  type AvailableOpening,
  availableCommitment,
  EMPTY_AVAILABLE_OPENING,
  EMPTY_NOTE,
  type NoteOpening,
  noteCommitment,
} from "./crypto/commitments";
import { ProofMismatch } from "./crypto/errors";
import { assertUnits, commitmentToHex, FIELD_ORDER, hexToCommitment, UNITS_BOUND } from "./crypto/field";
import type { Scope } from "./crypto/scope";
import type { DecryptionProof, DecryptionProofEntry } from "./decryption-proof-document";
import { BALANCE_NOTES, MAX_BALANCE_PROOFS } from "./decryption-proof-limits";
import { encodeDecryptionProof } from "./encode-decryption-proof";
import { lowerCase } from "./prepare/next-state";
import type { CircuitInput, Prove } from "./prepare/witness";

/** What the owner reveals to the service of one asset: the notes to be counted, and the available balance. */
export interface HeldAsset {
  asset: Address;
  notes: readonly NoteOpening[];
  available: AvailableOpening;
}

/** `block` is the block at which the client read its notes, `issuedAt` is in Unix seconds. */
interface DecryptionProofRequest {
  scope: Scope;
  account: Address;
  block: bigint;
  issuedAt: bigint;
  assets: readonly HeldAsset[];
}

/**
 * Returns ctx of the Balance proofs: keccak256(abi.encode(account, asset, chain, ledger, block, issued_at)) modulo r.
 */
export function balanceContext(
  scope: Scope,
  account: Address,
  asset: Address,
  block: bigint,
  issuedAt: bigint,
): bigint {
  const encoded = encodeAbiParameters(
    ["address", "address", "uint256", "address", "uint256", "uint256"].map((type) => ({ type })),
    [account, asset, BigInt(scope.chainId), scope.ledger, block, issuedAt],
  );
  return BigInt(keccak256(encoded)) % FIELD_ORDER;
}

/** Returns the 16 note slots of a proof: the notes, padded with EMPTY_NOTE. */
function noteSlots(commitments: readonly bigint[]): bigint[] {
  return [...commitments, ...Array.from({ length: BALANCE_NOTES - commitments.length }, () => EMPTY_NOTE)];
}

/** Returns the public signals that the proof of an entry must have: the 16 notes, available balance, total, ctx. */
export function balanceSignals(scope: Scope, document: DecryptionProof, entry: DecryptionProofEntry): bigint[] {
  const ctx = balanceContext(scope, document.account, entry.asset, BigInt(document.block), BigInt(document.issued_at));
  return [...noteSlots(entry.notes.map(hexToCommitment)), hexToCommitment(entry.available), BigInt(entry.total), ctx];
}

interface Batch {
  asset: Address;
  /** Position among the batches of the asset. */
  index: number;
  notes: NoteOpening[];
  available: AvailableOpening;
  total: bigint;
}

/**
 * Splits an asset into batches of at most 16 notes with totals below 2^64. The available balance is in the first batch.
 */
function batchesOf({ asset, notes, available }: HeldAsset): Batch[] {
  assertUnits(available.limit);
  let current: Batch = { asset, index: 0, notes: [], available, total: available.limit };
  const batches = [current];
  for (const note of notes) {
    if (current.notes.length === BALANCE_NOTES || current.total + note.amount >= UNITS_BOUND) {
      current = { asset, index: batches.length, notes: [], available: EMPTY_AVAILABLE_OPENING, total: 0n };
      batches.push(current);
    }
    current.notes.push(note);
    current.total += note.amount;
  }
  return batches;
}

function witnessOf({ notes, available }: Batch, signals: readonly bigint[]): CircuitInput {
  const { limit, salt, window } = available;
  const padding = Array.from({ length: BALANCE_NOTES - notes.length }, () => 0n);
  return {
    notes: signals.slice(0, BALANCE_NOTES),
    available: signals[BALANCE_NOTES] ?? 0n,
    total: signals[BALANCE_NOTES + 1] ?? 0n,
    ctx: signals[BALANCE_NOTES + 2] ?? 0n,
    amounts: [...notes.map((note) => note.amount), ...padding],
    noteSalts: [...notes.map((note) => note.salt), ...padding],
    limit,
    ...window,
    salt,
  };
}

/**
 * Creates the `decryption_proof` of the balances endpoint (docs/protocol.md section 8). It proves, in batches of 16
 * notes, what the given notes and available balances hold. The service learns the total of each batch. Notes that don't
 * fit in one document are left out, so pass the largest first.
 *
 * @returns base64 text
 */
export async function makeDecryptionProof(request: DecryptionProofRequest, prove: Prove): Promise<string> {
  const { scope, account, block, issuedAt } = request;
  const document: DecryptionProof = {
    version: 1,
    account: lowerCase(account),
    block: block.toString(),
    issued_at: issuedAt.toString(),
    proofs: [],
  };
  const batches = request.assets.flatMap(batchesOf).sort((a, b) => a.index - b.index);
  for (const batch of batches.slice(0, MAX_BALANCE_PROOFS)) {
    const entry: DecryptionProofEntry = {
      asset: lowerCase(batch.asset),
      notes: batch.notes.map((note) => commitmentToHex(noteCommitment(note))),
      available: commitmentToHex(availableCommitment(batch.available)),
      total: batch.total.toString(),
      proof: "0x",
    };
    const signals = balanceSignals(scope, document, entry);
    const proven = await prove("balance", witnessOf(batch, signals));
    if (proven.publicSignals.join() !== signals.join()) throw new ProofMismatch();
    document.proofs.push({ ...entry, proof: proven.proof });
  }
  return encodeDecryptionProof(document);
}
