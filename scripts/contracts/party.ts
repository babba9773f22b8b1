import { type Address, bytesToHex, type Hex, hexToBytes } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import {
  type AvailableOpening,
  EMPTY_AVAILABLE_OPENING,
  type NoteOpening,
  noteCommitment,
} from "../../lib/ledger/crypto/commitments.ts";
import { commitmentToHex } from "../../lib/ledger/crypto/field.ts";
import {
  deriveAgentHalf,
  deriveAuthority,
  deriveKnowledge,
  derivePaymentKey,
  deriveViewingKey,
  newAccountKey,
  type SigningKey,
  type X25519Keys,
} from "../../lib/ledger/crypto/keys.ts";
import type { Scope } from "../../lib/ledger/crypto/scope.ts";
import { decryptAvailableState } from "../../lib/ledger/encrypted/available-state.ts";
import { decryptPayerCopy, noteOfCopy } from "../../lib/ledger/encrypted/payer-copy.ts";
import { decryptRecipientCopy } from "../../lib/ledger/encrypted/recipient-copy.ts";
import type { EncryptedStateDocument, SignedDocument } from "../../lib/ledger/prepare/documents.ts";

/** Someone with money on a ledger: keys, the openings of one asset, and the counters of the ledger's record. */
export interface Party {
  walletKey: Hex;
  address: Address;
  viewing: X25519Keys;
  /** k, or k_i for an agent. */
  secret: Uint8Array;
  paymentKey: SigningKey;
  available: AvailableOpening;
  notes: NoteOpening[];
  nonce: bigint;
  policyVersion: bigint;
}

const NEW = { available: EMPTY_AVAILABLE_OPENING, nonce: 0n, policyVersion: 0n };

/** Creates an account with a new account key. */
export function newParty(scope: Scope, walletKey: Hex): Party {
  const accountKey = newAccountKey();
  const secret = deriveKnowledge(accountKey, scope, 1);
  return {
    ...NEW,
    walletKey,
    address: privateKeyToAddress(walletKey),
    viewing: deriveViewingKey(accountKey, scope),
    secret,
    paymentKey: derivePaymentKey(deriveAuthority(accountKey, scope, 1), scope),
    notes: [],
  };
}

/** Creates an agent of `owner`, with the owner's viewing key and its own account secret. */
export function newAgent(scope: Scope, owner: Party, walletKey: Hex): Party {
  const address = privateKeyToAddress(walletKey);
  const secret = deriveAgentHalf(owner.secret, address, scope);
  return { ...owner, ...NEW, walletKey, address, secret, notes: [] };
}

/** Applies a document's changes to its parties, as read from its encrypted states and ciphertexts. */
export async function settle(scope: Scope, d: SignedDocument, parties: readonly Party[]): Promise<void> {
  const at = (address: Address) =>
    parties.find((one) => one.address.toLowerCase() === address) ?? failed("a party is unknown");
  const payer = at(d.account);
  const opened = (who: Party, commitment: Hex, state: EncryptedStateDocument) => {
    const ref = { scope, account: who.address, asset: d.asset, commitment: BigInt(commitment) };
    return decryptAvailableState(who.secret, ref, hexToBytes(state.encrypted));
  };
  const receive = async (to: Party, { note, recipient_ciphertext }: { note: Hex; recipient_ciphertext: Hex }) => {
    const ref = { scope, account: to.address, asset: d.asset, commitment: BigInt(note) };
    const copy = await decryptRecipientCopy(to.viewing.secret, ref, hexToBytes(recipient_ciphertext));
    to.notes.push(copy ?? failed("the recipient copy does not open"));
  };
  payer.available = opened(payer, d.new_available, d.next_state);
  if (d.kind === "transfer" || d.kind === "spend") await receive(at(d.to), d);
  if (d.kind === "transfer_many") for (const payment of d.payments) await receive(at(payment.to), payment);
  if (d.kind === "fund") at(d.to).available = opened(at(d.to), d.to_new_available, d.to_next_state);
  if (d.kind === "make_available") {
    payer.nonce += 1n;
    const used = new Set(d.notes);
    const ref = { scope, account: payer.address, asset: d.asset, commitment: BigInt(d.new_available) };
    const copy = await decryptPayerCopy(payer.viewing.secret, ref, hexToBytes(d.ciphertext));
    const change = noteOfCopy(copy ?? failed("the payer copy does not open"), {
      ...ref,
      commitment: BigInt(d.change_note),
    });
    payer.notes = payer.notes.filter((note) => !used.has(commitmentToHex(noteCommitment(note))));
    if (change) payer.notes.push(change);
  }
}

function failed(what: string): never {
  throw new Error(what);
}

/** Returns the viewing key in the ledger's encoding. */
export function viewingKeyOf(party: Party): Hex {
  return bytesToHex(party.viewing.publicKey);
}
