import { type Address, bytesToHex, type Hex, hexToBytes } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { type BudgetOpening, EMPTY_BUDGET_OPENING, type NoteOpening } from "../../lib/ledger/crypto/commitments.ts";
import {
  deriveAgentSecret,
  deriveBudgetSecret,
  deriveSpender,
  deriveViewingKey,
  newRoot,
  type SpenderKey,
  type X25519Keys,
} from "../../lib/ledger/crypto/keys.ts";
import type { Scope } from "../../lib/ledger/crypto/scope.ts";
import type { PreparedDocument, SealedStateDocument } from "../../lib/ledger/prepare/documents.ts";
import { openBudgetState } from "../../lib/ledger/seal/budget-state.ts";
import { noteOfCopy, openPayerCopy, openRecipientCopy } from "../../lib/ledger/seal/copies.ts";

/** Someone with money on a ledger, for fixtures and measurements: keys, and the openings of one asset. */
export interface Party {
  walletKey: Hex;
  address: Address;
  viewing: X25519Keys;
  /** s, or s_i of an agent. */
  secret: Uint8Array;
  spender: SpenderKey;
  budget: BudgetOpening;
  notes: NoteOpening[];
  nonce: bigint;
}

/** An account with a fresh root. */
export function newParty(scope: Scope, walletKey: Hex): Party {
  const root = newRoot();
  const secret = deriveBudgetSecret(root, scope, 1);
  return {
    walletKey,
    address: privateKeyToAddress(walletKey),
    viewing: deriveViewingKey(root, scope),
    secret,
    spender: deriveSpender(secret, scope),
    budget: EMPTY_BUDGET_OPENING,
    notes: [],
    nonce: 0n,
  };
}

/** An agent of `owner`: it has its owner's viewing key, and a budget secret of its own. */
export function newAgent(scope: Scope, owner: Party, walletKey: Hex): Party {
  const address = privateKeyToAddress(walletKey);
  const secret = deriveAgentSecret(owner.secret, address, scope);
  return { ...owner, walletKey, address, secret, budget: EMPTY_BUDGET_OPENING, notes: [], nonce: 0n };
}

/** Takes over what a document changes for its parties, read from the sealed states and ciphertexts in it. */
export async function settle(scope: Scope, document: PreparedDocument, payer: Party, to?: Party): Promise<void> {
  payer.budget = openState(scope, document, payer, document.new_budget, document.next_state);
  if (document.kind === "allocate") {
    payer.nonce += 1n;
    payer.notes = [];
    const ref = { scope, account: payer.address, asset: document.asset, commitment: BigInt(document.new_budget) };
    const copy = await openPayerCopy(payer.viewing.secret, ref, hexToBytes(document.ciphertext));
    if (copy === null) throw new Error("the payer copy does not open");
    const change = noteOfCopy(copy, { ...ref, commitment: BigInt(document.change_note) });
    if (change) payer.notes = [change];
  } else if (document.kind === "transfer" && to) {
    const ref = { scope, account: to.address, asset: document.asset, commitment: BigInt(document.note) };
    const note = await openRecipientCopy(to.viewing.secret, ref, hexToBytes(document.recipient_ciphertext));
    if (note === null) throw new Error("the recipient copy does not open");
    to.notes.push(note);
  } else if (document.kind === "fund" && to) {
    to.budget = openState(scope, document, to, document.to_new_budget, document.to_next_state);
  }
}

function openState(scope: Scope, { asset }: PreparedDocument, who: Party, word: Hex, state: SealedStateDocument) {
  const ref = { scope, account: who.address, asset, commitment: BigInt(word) };
  return openBudgetState(who.secret, ref, hexToBytes(state.sealed));
}

/** The viewing key as the registry holds it. */
export function viewingKeyOf(party: Party): Hex {
  return bytesToHex(party.viewing.publicKey);
}
