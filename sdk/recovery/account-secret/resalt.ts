import { type Address, type Hex, isAddressEqual } from "viem";
import { documentCalldata } from "@/lib/chain/document-calldata";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { type AvailableOpening, EMPTY_AVAILABLE, readAvailableCommitment } from "@/lib/ledger/crypto/commitments";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { deriveAgentHalf } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { decryptAvailableState } from "@/lib/ledger/encrypted/available-state";
import { completePlan } from "@/lib/ledger/prepare/plan";
import { planMakeAvailable } from "@/lib/ledger/prepare/plan-make-available";
import type { LedgerView } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import type { Operation } from "../../api/resources/transfers";
import { toHalcyonError } from "../../api/to-halcyon-error";
import { type Holder, readOn } from "../../chain/recover-scan";
import type { Context } from "../../context/context";
import { relayOrSend } from "../../context/relay-or-send";
import type { Vault } from "../../context/vault/vault";

/** An available balance that needs a new salt: its holder, its asset, and the service's name for the holder. */
export interface AvailableToResalt {
  holder: Holder;
  asset: Asset;
  /** The query of session routes; null when the service does not list this agent, or does not take part. */
  query: { agent?: string } | null;
}

/** The keys on both sides of a rotation. */
export interface Rotating {
  scope: Scope;
  /** Returns the keys of any version: states may be encrypted under earlier versions than the last. */
  versions(version: number): Vault;
  next: Vault;
}

const TRIES = 5;
const PAUSE_MS = 250;

/** Returns the secret of one version: `k` of the account, `k_i` of an agent. */
export function secretOf(context: Context, scope: Scope, { secret }: Vault, address: Address): Uint8Array {
  return isAddressEqual(address, context.wallet.address) ? secret : deriveAgentHalf(secret, address, scope);
}

/**
 * Returns the service's view of an available balance once nothing is pending; null when the service doesn't respond as
 * it should, or it takes too long.
 */
async function settledView(context: Context, { asset, query }: AvailableToResalt): Promise<LedgerView | null> {
  if (!query) return null;
  const session = await context.session();
  for (const end = Date.now() + context.relayPatienceMs; ; ) {
    const view = await session.get<LedgerView>("/api/ledger", { asset: asset.symbol, ...query }).catch(() => null);
    // What can't be read is no response: the chain has what is needed.
    if (!view?.available) return null;
    if (view.available.commitment === view.available.newest_commitment) return view;
    if (Date.now() >= end) return null;
    await context.call.pause(PAUSE_MS);
  }
}

/**
 * Decrypts the state of `commitment` from the service's copy (with an agent's counters), whichever version it is under.
 */
function stateIn(
  context: Context,
  { scope, versions, next }: Rotating,
  { holder: { address: account }, asset }: AvailableToResalt,
  encrypted: { commitment: Hex; encrypted: Hex; version: number } | null,
): AvailableOpening | null {
  if (!encrypted) return null;
  for (let version = Math.min(encrypted.version, next.secretVersion); version >= 1; version--) {
    try {
      const place = { scope, account, asset: asset.address, commitment: hexToCommitment(encrypted.commitment) };
      return decryptAvailableState(
        secretOf(context, scope, versions(version), account),
        place,
        fromHex(encrypted.encrypted),
      );
    } catch {
      // Encrypted under another version, or damaged.
    }
  }
  return null;
}

/**
 * Returns the opening of the chain's current available balance: from the account's own copies on chain, which someone
 * with only the secret can't forge, or else from the service's state. Counters come from the service's state. Null when
 * neither can be decrypted. What clients with a home key kept in it ends: the old secret's holders know it.
 */
async function openNow(
  context: Context,
  rotating: Rotating,
  available: AvailableToResalt,
): Promise<AvailableOpening | null> {
  const { holder, asset } = available;
  const [chain, view] = [await context.chain(), await settledView(context, available)];
  await readOn(chain, rotating.scope, rotating.next.viewingKey.secret, holder);
  const held = holder.history.assets.get(asset.address);
  if (!held) return null;
  const version = view?.available.secret_version ?? rotating.next.secretVersion;
  const known = view?.available.encrypted
    ? { commitment: view.available.newest_commitment, encrypted: view.available.encrypted, version }
    : view?.available.past
      ? { ...view.available.past, version: rotating.next.secretVersion }
      : null;
  const state = stateIn(context, rotating, available, known);
  if (held.available) return { ...held.available, counters: state?.counters };
  if (!state || !known || hexToCommitment(known.commitment) !== held.commitment) return null;
  const { blind: _, ...opening } = state;
  return opening;
}

/**
 * Gives an available balance a new salt by an empty move to the available balance, so that someone who knew the old one
 * can't prove anything over it any more. The wallet signs it over what the chain shows; the service sends it, or else
 * the wallet.
 *
 * @returns null for an available balance that can't be decrypted: it is lost
 */
async function resalt(context: Context, rotating: Rotating, available: AvailableToResalt): Promise<true | null> {
  const { holder, asset, query } = available;
  const { scope, next } = rotating;
  const [session, chain, prove] = await Promise.all([context.session(), context.chain(), context.prover()]);
  const account = holder.address;
  for (let attempt = 1; ; attempt++) {
    const state = await openNow(context, rotating, available);
    if (!state) return null;
    const { nonce } = await chain.account(account);
    const plan = await planMakeAvailable({
      scope,
      account,
      asset: asset.address,
      available: state,
      notes: [],
      deposited: 0n,
      newLimit: state.limit,
      nonce,
      deadline: await chain.deadline(),
      payerViewingKey: next.viewingKey.publicKey,
      secret: secretOf(context, scope, next, account),
    });
    const document = await completePlan(plan, prove, context.signer());
    const commitmentNow = async () => readAvailableCommitment(await chain.availableOf(account, asset.address));
    const isDone = async () => (await commitmentNow()) === hexToCommitment(document.new_available);
    try {
      await relayOrSend(context, {
        what: "The re-encryption of a balance",
        data: documentCalldata(document),
        deadline: document.deadline,
        relay: query && (() => session.post<Operation>("/api/make-available", { client_signed: document }, query)),
        isDone,
        isVoid: async () => {
          const [commitment, record] = [await commitmentNow(), await chain.account(account)];
          const moved = commitment !== hexToCommitment(document.old_available) || record.nonce !== nonce;
          // Last: a block that moves the account may be this call's own, and come between two reads.
          return moved && !(await isDone());
        },
      });
      return true;
    } catch (error) {
      const moved = error instanceof HalcyonError && error.code === "available_balance_changed";
      if (!moved || attempt === TRIES) throw error;
    }
  }
}

/** An available balance of the account or of one of its agents. */
export interface AvailableName {
  account: Address;
  asset: string;
}

/** What came of renewing the salts of a holder's available balances. */
export interface Resalted {
  /** Number of available balances that have a new salt. */
  renewed: number;
  /** Available balances that can't be decrypted. */
  lost: AvailableName[];
  /** What failed while everything else continued. */
  unfinished: { what: string; reason: string }[];
}

/** Gives every available balance of a holder a new salt, one after another, because they share the holder's nonce. */
export async function resaltHolder(
  context: Context,
  rotating: Rotating,
  holder: Holder,
  query: AvailableToResalt["query"],
): Promise<Resalted> {
  const { assets } = await context.info();
  const result: Resalted = { renewed: 0, lost: [], unfinished: [] };
  for (const available of available_balancesOf(holder, assets, query)) {
    const name = { account: holder.address, asset: available.asset.symbol };
    try {
      if (await resalt(context, rotating, available)) result.renewed += 1;
      else result.lost.push(name);
    } catch (error) {
      const what = `re-encrypting the ${name.asset} balance of ${name.account}`;
      result.unfinished.push({ what, reason: toHalcyonError(error).message });
    }
  }
  return result;
}

/** Returns the available balances of one holder that are not empty. */
function available_balancesOf(
  holder: Holder,
  assets: readonly Asset[],
  query: AvailableToResalt["query"],
): AvailableToResalt[] {
  return assets.flatMap((asset) => {
    const held = holder.history.assets.get(asset.address);
    return held && held.commitment !== EMPTY_AVAILABLE ? [{ holder, asset, query }] : [];
  });
}
