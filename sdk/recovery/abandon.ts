import type { Address, Hex } from "viem";
import { formatAmount } from "@/lib/base/money";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { type LostAvailableBalance, lossOf, planAbandon } from "@/lib/ledger/authority/plan-abandon";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { EMPTY_AVAILABLE, readAvailableCommitment } from "@/lib/ledger/crypto/commitments";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { decryptAvailableState } from "@/lib/ledger/encrypted/available-state";
import { type Party, partyOf } from "../account/party";
import type { LedgerView } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Operation } from "../api/resources/transfers";
import { readOn, unread } from "../chain/recover-scan";
import type { Context } from "../context/context";
import { relayOrSend } from "../context/relay-or-send";
import { signDraft } from "../context/sign-draft";

/** The available balance to give up. */
export interface AbandonInput {
  /** Default: `USDG`. */
  asset?: string | undefined;
  /** Handle of an agent of the account. Default: the account itself. */
  agent?: string | undefined;
}

/** An available balance that can't be decrypted. Amounts are decimal strings. */
export interface AvailableLoss {
  account: Address;
  asset: string;
  /** The most that can have been in it; null when the chain sets no upper limit. */
  lost_at_most: string | null;
  /** Received and deposited money, which can be made available again after the balance is given up. */
  notes: string;
  deposited: string;
}

/** The result of giving up a balance. */
export interface AbandonResult extends AvailableLoss {
  /** Null when the service sent the transaction without reporting it. */
  tx_hash: Hex | null;
}

/**
 * Reports whether the service still has a state of this commitment that can be decrypted. If so, nothing is lost,
 * whatever the copies on chain are.
 */
async function opensAtService(context: Context, party: Party, asset: Asset, commitment: bigint): Promise<boolean> {
  const [session, scope] = await Promise.all([context.session(), context.scope()]);
  const query = { asset: asset.symbol, ...party.query };
  const { available } = await session.get<LedgerView>("/api/ledger", query).catch(() => ({ available: null }));
  if (!available?.encrypted || hexToCommitment(available.newest_commitment) !== commitment) return false;
  try {
    const place = { scope, account: party.address, asset: asset.address, commitment: commitment };
    decryptAvailableState(party.secret, place, fromHex(available.encrypted));
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns what is lost of one asset, with the history that shows it; null when the available balance can be decrypted.
 */
async function examine(context: Context, party: Party, asset: Asset) {
  const [scope, vault, chain] = await Promise.all([context.scope(), context.vault(), context.chain()]);
  const { enrolledBlock } = await chain.account(party.address);
  const holder = unread(party.address, enrolledBlock);
  await readOn(chain, scope, vault.viewingKey.secret, holder);
  const loss = lossOf(holder.history.assets.get(asset.address));
  if (!loss || (await opensAtService(context, party, asset, loss.commitment))) return null;
  return { loss, history: holder.history };
}

function shown({ address }: Party, { symbol, decimals }: Asset, loss: LostAvailableBalance): AvailableLoss {
  return {
    account: address,
    asset: symbol,
    lost_at_most: loss.atMost === null ? null : formatAmount(loss.atMost, decimals),
    notes: formatAmount(loss.notes, decimals),
    deposited: formatAmount(loss.deposited, decimals),
  };
}

/**
 * Reports whether an available balance is lost, which happens if someone who could sign for it left a copy that can't
 * be decrypted. Reads the chain; changes nothing.
 *
 * @example
 * await halcyon.security.balanceLoss({ asset: "USDG" });
 * // null, or { account: "0x…", asset: "USDG", lost_at_most: "9.999999", notes: "50", deposited: "20" }
 */
export async function availableLoss(context: Context, input: AbandonInput = {}): Promise<AvailableLoss | null> {
  const [asset, party] = await Promise.all([context.asset(input.asset), partyOf(context, input.agent)]);
  const lost = await examine(context, party, asset);
  return lost && shown(party, asset, lost.loss);
}

/**
 * Gives up an available balance that can't be decrypted any more. Its money is lost for good; the notes and deposited
 * money behind it can be made available again. Signed by the wallet. Sent by the service or, if it does not send it, by
 * the wallet.
 *
 * @example
 * await halcyon.security.abandonBalance({ agent: "bot" });
 * // { account: "0x…", asset: "USDG", lost_at_most: "4.999999", notes: "0", deposited: "0", tx_hash: "0x…" }
 * @throws HalcyonError `invalid_request` when the available balance can be decrypted, so that nothing is lost
 */
export async function abandon(context: Context, input: AbandonInput = {}): Promise<AbandonResult> {
  const [asset, party] = await Promise.all([context.asset(input.asset), partyOf(context, input.agent)]);
  const [scope, chain, session] = await Promise.all([context.scope(), context.chain(), context.session()]);
  const lost = await examine(context, party, asset);
  if (!lost) {
    throw new HalcyonError(
      "invalid_request",
      "This balance can be decrypted, so nothing is lost. To empty it, withdraw it or set your available balance to 0.",
    );
  }
  const { address: account } = party;
  const commitmentNow = async () => readAvailableCommitment(await chain.availableOf(account, asset.address));
  const [ledgerParty, deadline] = await Promise.all([chain.party(account), chain.deadline()]);
  const [step] = planAbandon(ledgerParty, lost.history, deadline, [asset.address]);
  if (!step) throw new RangeError("a lost balance can be given up");
  const document = await signDraft<"abandon">(scope, step.draft, context.signer());
  const { tx_hash } = await relayOrSend(context, {
    what: "The end of this balance",
    data: authorityCalldata(document),
    deadline: document.deadline,
    relay: () => session.post<Operation>("/api/available-balances/abandon", document, party.query),
    isDone: async () => (await commitmentNow()) === EMPTY_AVAILABLE,
    // A wallet's own call needs no signature over the lost balance: it would give up another one.
    isVoid: async () => ![EMPTY_AVAILABLE, lost.loss.commitment].includes(await commitmentNow()),
  });
  return { ...shown(party, asset, lost.loss), tx_hash };
}
