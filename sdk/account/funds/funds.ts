import type { Address } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import {
  type AvailableOpening,
  EMPTY_AVAILABLE,
  EMPTY_AVAILABLE_OPENING,
  type NoteOpening,
} from "@/lib/ledger/crypto/commitments";
import { commitmentToHex, hexToCommitment } from "@/lib/ledger/crypto/field";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { decryptAvailableState } from "@/lib/ledger/encrypted/available-state";
import { decryptPayerCopy, noteOfCopy } from "@/lib/ledger/encrypted/payer-copy";
import { decryptRecipientCopy } from "@/lib/ledger/encrypted/recipient-copy";
import type { EncryptedNote, EveryLedger, LedgerView } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import type { Context } from "../../context/context";
import type { Vault } from "../../context/vault/vault";
import type { Party } from "../party";
import { handOverTags } from "./hand-over-tags";
import { syncBalance } from "./sync";

/** One look reads on until this many notes are decrypted. */
const ENOUGH_NOTES = 500;
/** How many pages of notes one look reads beyond what is already known. */
const PAGES = 100;

/** The money of an account or agent in one asset, decrypted on this machine. */
export interface Funds {
  view: LedgerView;
  /** The newest available balance state, even if its payment is not final yet. */
  available: AvailableOpening;
  /** Unspent notes, largest first. */
  notes: NoteOpening[];
  /** Number of notes whose ciphertext can't be decrypted: they can't be spent or counted. */
  unreadable: number;
  deposited: bigint;
}

/** Decrypts a note of the account. Returns null if its ciphertext can't be decrypted. */
async function openNote(
  scope: Scope,
  vault: Vault,
  account: Address,
  asset: Address,
  encrypted: EncryptedNote,
): Promise<NoteOpening | null> {
  const note = hexToCommitment(encrypted.note);
  const secret = vault.viewingKey.secret;
  const ciphertext = fromHex(encrypted.ciphertext);
  if (encrypted.source === "transfer") {
    return decryptRecipientCopy(secret, { scope, account, asset, commitment: note }, ciphertext);
  }
  if (!encrypted.new_available) return null;
  const place = { scope, account, asset, commitment: hexToCommitment(encrypted.new_available) };
  const copy = await decryptPayerCopy(secret, place, ciphertext);
  return copy && noteOfCopy(copy, { ...place, commitment: note });
}

/**
 * Decrypts the newest available balance state of a view. Returns the empty available balance if there has never been
 * one.
 */
export function decryptAvailable(scope: Scope, party: Party, asset: Address, view: LedgerView): AvailableOpening {
  const commitment = hexToCommitment(view.available.newest_commitment);
  if (commitment === EMPTY_AVAILABLE || view.available.encrypted === null) return EMPTY_AVAILABLE_OPENING;
  const place = { scope, account: party.address, asset, commitment };
  return decryptAvailableState(party.secret, place, fromHex(view.available.encrypted));
}

/**
 * Reads the service's view of one asset. If the service lacks the encrypted state of the available balance, or has one
 * that can't be decrypted, or has it under an earlier account secret (a payment over it failed after a rotation),
 * encrypts the state again from the chain first. Sends a service that was restored from a backup the tags of the requests it lost.
 *
 * @throws HalcyonError `key_forbidden` when another client has rotated the account secret since this one unlocked
 */
export async function readView(context: Context, party: Party, asset: Asset, after?: string): Promise<LedgerView> {
  const [session, { secretVersion }] = await Promise.all([context.session(), context.vault()]);
  const read = () => session.get<LedgerView>("/api/ledger", { asset: asset.symbol, after, ...party.query });
  const view = await read();
  const { sync_required: lacking, secret_version: version } = view.available;
  if (version !== null && version > secretVersion) {
    throw new HalcyonError("key_forbidden", "The account secret has been rotated. Unlock the account again.");
  }
  // Ignore errors: this changes no balance and must not hide one. The next read tries again.
  if (view.request_tags_wanted) await handOverTags(context).catch(() => {});
  if (!lacking && (version === null || version === secretVersion)) {
    try {
      decryptAvailable(await context.scope(), party, asset.address, view);
      return view;
    } catch {
      // A client that had a key has left a state that no one can decrypt.
    }
  }
  await syncBalance(context, party, asset, view);
  return read();
}

/** Reads and decrypts all money of the account or agent in one asset, on this machine. */
export async function decryptFunds(context: Context, party: Party, asset: Asset): Promise<Funds> {
  return fundsIn(context, party, asset, await readView(context, party, asset));
}

/** Decrypts a view, and reads on while it has more notes and few of them can be decrypted. */
async function fundsIn(context: Context, party: Party, asset: Asset, view: LedgerView): Promise<Funds> {
  const [scope, vault] = await Promise.all([context.scope(), context.vault()]);
  const account = party.address;
  vault.unreadable ??= new Map();
  const known = vault.unreadable;
  const notes: NoteOpening[] = [];
  let page = view;
  let unreadable = 0;
  let after: string | null | undefined;
  for (let left = PAGES + known.size; left > 0; left--) {
    const place = account + asset.address + after;
    let read = known.get(place);
    if (!read) {
      if (after) page = await readView(context, party, asset, after);
      // A move to the available balance in between: its money may be in the view and in this page.
      if (page.nonce !== view.nonce) return decryptFunds(context, party, asset);
      const openings = await Promise.all(
        page.notes.map((note) => openNote(scope, vault, account, asset.address, note)),
      );
      const opened = openings.filter((opening) => opening !== null);
      notes.push(...opened);
      read = { next: page.next, unreadable: openings.length - opened.length };
      if (page.next && opened.length === 0 && !page.reserved) known.set(place, read);
    }
    unreadable += read.unreadable;
    after = read.next;
    if (!after || notes.length >= ENOUGH_NOTES) break;
  }
  notes.sort((a, b) => Number(b.amount - a.amount));
  return {
    view: { ...view, has_more: page.has_more },
    available: decryptAvailable(scope, party, asset.address, view),
    notes,
    unreadable,
    deposited: BigInt(view.deposited),
  };
}

/** Returns the view of an asset that the account has never had. */
function emptyView(party: Party, asset: Asset): LedgerView {
  const commitment = commitmentToHex(EMPTY_AVAILABLE);
  const none = { encrypted: null, flag: null, secret_version: null, past: null };
  return {
    account: party.address,
    asset: asset.symbol,
    nonce: "0",
    deposited: "0",
    available: { commitment, newest_commitment: commitment, sync_required: false, ...none },
    notes: [],
    has_more: false,
    request_tags_wanted: false,
  };
}

/**
 * Reads the views of the account and all of its agents with one request, for display. The returned function decrypts
 * like {@link decryptFunds}; an agent created after the read has nothing.
 */
export async function readEveryView(context: Context): Promise<(party: Party, asset: Asset) => Promise<Funds>> {
  const [session, { secretVersion }] = await Promise.all([context.session(), context.vault()]);
  const every = await session.get<EveryLedger>("/api/ledger/all");
  // Ignore errors: this changes no balance and must not hide one. The next read tries again.
  if (every.request_tags_wanted) await handOverTags(context).catch(() => {});
  const views = new Map(every.ledgers.map((view) => [`${view.account} ${view.asset}`, view]));
  return async (party, asset) => {
    const view = views.get(`${party.address} ${asset.symbol}`);
    if (!view) return fundsIn(context, party, asset, emptyView(party, asset));
    const { sync_required: lacking, secret_version: version } = view.available;
    // A view that needs syncing, or has more notes than were returned, is read separately.
    if (view.has_more || lacking || (version !== null && version !== secretVersion))
      return decryptFunds(context, party, asset);
    return fundsIn(context, party, asset, { ...view, request_tags_wanted: every.request_tags_wanted });
  };
}
