import { formatAmount } from "@/lib/money";
import { listAgents } from "../account/agents";
import { partyOf } from "../account/party";
import type { SealedHeldPayment } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import { openHeldPayment } from "../approvals/held";
import type { Context } from "../context/context";
import { openFunds } from "../funds/funds";
import { type SealedParts, type TransferContent, TransferOpener } from "./open-transfer";

/**
 * Amount and memo of a transfer, from its ciphertexts as `GET /api/transfers` lists them (docs/session-api.md), opened on this
 * machine. Needs the wallet.
 *
 * @example
 * await halcyon.decryptTransfer(sealed); // { amount: "25", memo: "lunch" }
 */
export async function decryptTransfer(context: Context, sealed: SealedParts): Promise<TransferContent> {
  return (await TransferOpener.of(context)).content(sealed);
}

/**
 * Amount and memo of a payment that waits for approval, from its sealed text as `GET /api/agents/transactions/{id}` gives
 * it. Needs the wallet.
 *
 * @throws HalcyonError `not_found` when it is none of this account's agents'; UnsealFailed when its agent did not write it
 */
export async function decryptHeldPayment(context: Context, sealed: SealedHeldPayment): Promise<TransferContent> {
  const [{ agents }, asset] = await Promise.all([listAgents(context), context.asset(sealed.asset)]);
  const agent = agents.find(({ handle }) => handle === sealed.agent);
  if (!agent) throw new HalcyonError("not_found", "This payment is none of your agents'.");
  const { amount, memo } = await openHeldPayment(context, sealed, agent.public_key);
  return { amount: formatAmount(amount, asset.decimals), memo: memo ?? null };
}

/** Whose funds, and of which asset. */
export interface DecryptBalanceInput {
  /** `USDG` when left out. */
  asset?: string;
  /** Handle of an agent of the account; the account itself when left out. */
  agent?: string;
}

/** What an account or agent has of one asset. Amounts are decimal strings. */
export interface DecryptedBalance {
  asset: string;
  /** Everything together. */
  total: string;
  /** What payments are made from. */
  budget: string;
  /** Deposited in public, not allocated yet. */
  credit: string;
  /** Received payments, not allocated yet, largest first. */
  notes: string[];
  /** There are more notes than were read: allocate first. */
  has_more: boolean;
  /** Notes whose ciphertext does not open: not counted. */
  unreadable: number;
}

/**
 * What the account, or one of its agents, has of an asset, opened on this machine: no proof is made and nothing is told the
 * service. Needs the wallet.
 *
 * @example
 * await halcyon.decryptBalance(); // { asset: "USDG", total: "975", budget: "975", credit: "0", notes: [], … }
 */
export async function decryptBalance(context: Context, input: DecryptBalanceInput = {}): Promise<DecryptedBalance> {
  const [asset, party] = await Promise.all([context.asset(input.asset), partyOf(context, input.agent)]);
  const { budget, notes, credit, unreadable, view } = await openFunds(context, party, asset);
  const text = (units: bigint) => formatAmount(units, asset.decimals);
  return {
    asset: asset.symbol,
    total: text(notes.reduce((sum, note) => sum + note.amount, budget.limit + credit)),
    budget: text(budget.limit),
    credit: text(credit),
    notes: notes.map((note) => text(note.amount)),
    has_more: view.has_more,
    unreadable,
  };
}
