import type { Address } from "viem";
import { formatAmount } from "@/lib/base/money";
import { availableCommitment, noteCommitment, readAvailableCommitment } from "@/lib/ledger/crypto/commitments";
import { spendableNotes } from "@/lib/ledger/history/account-history";
import { findAgent, namedAgents } from "../../account/agents";
import { decryptFunds } from "../../account/funds/funds";
import { partyOf } from "../../account/party";
import type { HeldPaymentWithText } from "../../api/api-types";
import { HalcyonError } from "../../api/errors";
import type { Asset } from "../../api/network-info";
import type { HeldPayment, Transfer } from "../../api/resources/transfers";
import { readOn, unread } from "../../chain/recover-scan";
import type { Context } from "../../context/context";
import { askerOf, readHeldPayment, textOf } from "../approvals/decrypt-held";
import type { DecryptedBalance } from "./decrypted-balance";
import { copiesOf } from "./encrypted-transfers";
import { type EncryptedParts, type TransferContent, TransferDecrypter } from "./transfer-opener";

/** A balance in ledger units. */
interface BalanceUnits extends Pick<DecryptedBalance, "has_more" | "unreadable"> {
  available: { limit: bigint };
  deposited: bigint;
  notes: readonly { amount: bigint }[];
}

/** The ledger's status of a note that is not spent. */
const OPEN_NOTE = 1;

/** Decrypts a listed transfer. Implements `transfers.decrypt`. */
export async function decryptTransfer(
  context: Context,
  encrypted: EncryptedParts | Transfer,
): Promise<TransferContent> {
  const status = "status" in encrypted ? encrypted.status : undefined;
  return (await TransferDecrypter.of(context)).content(copiesOf(encrypted), status);
}

/**
 * Decrypts the amount and memo of a payment awaiting approval from its encrypted text, which `GET
 * /v1/agents/transactions/{id}` returns with `include=encrypted`.
 *
 * @throws HalcyonError `not_found` when it belongs to none of this account's agents; DecryptionFailed when its agent
 * did not write it
 */
export async function decryptHeldPayment(
  context: Context,
  held: HeldPaymentWithText | HeldPayment,
): Promise<TransferContent> {
  const encrypted = textOf(held);
  const [{ agents }, asset] = await Promise.all([namedAgents(context), context.asset(encrypted.asset)]);
  const asker = await askerOf(context, encrypted.agent, agents);
  if (!asker) throw new HalcyonError("not_found", "This payment is none of your agents'.");
  const { amount, memo } = await readHeldPayment(context, encrypted, asker);
  return { amount: formatAmount(amount, asset.decimals), memo: memo ?? null };
}

/** The balance to decrypt. */
export interface DecryptBalanceInput {
  /** Default: `USDG`. */
  asset?: string | undefined;
  /** Handle of an agent of the account. Default: the account itself. */
  agent?: string | undefined;
}

/**
 * Decrypts a party's balance in an asset. Implements `balances.decrypt`. With an RPC of its own, a client reads it from
 * the ledger's events alone. Otherwise what the service lists is shown as far as the chain agrees: the available
 * balance's word, the notes and the deposited amount.
 */
export async function decryptBalance(context: Context, input: DecryptBalanceInput = {}): Promise<DecryptedBalance> {
  const asset = await context.asset(input.asset);
  if (context.isViewOnly) return chainBalance(context, asset, input.agent);
  if (context.hasOwnRpc) {
    // What the service leaves out is in the ledger's events alone.
    const shown = await chainBalance(context, asset, input.agent).catch((error: unknown) => {
      if (error instanceof HalcyonError && error.code === "unavailable") return null;
      throw error;
    });
    if (shown) return shown;
  }
  const [chain, party] = await Promise.all([context.chain(), partyOf(context, input.agent)]);
  const { view, ...units } = await decryptFunds(context, party, asset);
  const notes = new Set(units.notes.map(noteCommitment));
  const [commitment, deposited, ...statuses] = await Promise.all([
    chain.availableOf(party.address, asset.address),
    chain.depositedOf(party.address, asset.address),
    ...[...notes].map((note) => chain.noteStatus(party.address, asset.address, note)),
  ]);
  const agrees =
    readAvailableCommitment(commitment) === availableCommitment(units.available) &&
    deposited === units.deposited &&
    notes.size === units.notes.length &&
    statuses.every((status) => status === OPEN_NOTE);
  if (!agrees) return chainBalance(context, asset, input.agent);
  return asDecryptedBalance(asset, { ...units, has_more: view.has_more });
}

/**
 * Reads the balance of the account or one of its agents in an asset from the ledger's events alone. The payer's copies,
 * which the viewing key decrypts, contain each new available balance. The service stores that balance under the account
 * secret, which a viewing key does not include.
 *
 * @throws HalcyonError `not_agent_owner`; `unavailable` when the newest copy can't be decrypted
 */
async function chainBalance(context: Context, asset: Asset, agent?: string): Promise<DecryptedBalance> {
  const [scope, chain, viewer] = await Promise.all([context.scope(), context.chain(), context.viewer()]);
  const address: Address = agent === undefined ? viewer.account : (await findAgent(context, agent)).public_key;
  const { owner, enrolledBlock } = await chain.account(address);
  if (agent !== undefined && owner.toLowerCase() !== viewer.account) {
    throw new HalcyonError("not_agent_owner", `The ledger does not have ${agent} as an agent of this account.`);
  }
  const holder = unread(address, enrolledBlock);
  await readOn(chain, scope, viewer.viewingKey.secret, holder);
  const held = holder.history.assets.get(asset.address);
  const notes = held ? spendableNotes(held) : [];
  const available = held ? held.available : { limit: 0n };
  if (!available) {
    throw new HalcyonError(
      "unavailable",
      "The viewing key can't decrypt the available balance. The owner's wallet shows more: `balances.decrypt`.",
    );
  }
  const open = held ? [...held.notes.values()].filter(({ spent }) => !spent).length : 0;
  const deposited = held?.deposited ?? 0n;
  return asDecryptedBalance(asset, { available, deposited, notes, has_more: false, unreadable: open - notes.length });
}

/** Converts a balance to the form returned to callers. */
function asDecryptedBalance(asset: Asset, units: BalanceUnits): DecryptedBalance {
  const { available, deposited, notes, has_more, unreadable } = units;
  const text = (amount: bigint) => formatAmount(amount, asset.decimals);
  return {
    asset: asset.symbol,
    total: text(notes.reduce((sum, note) => sum + note.amount, available.limit + deposited)),
    available: text(available.limit),
    deposited: text(deposited),
    notes: notes.map((note) => text(note.amount)),
    has_more,
    unreadable,
  };
}
