import type { Address } from "viem";
import type { Tx } from "@/db/client";
import type { Recipient } from "@/lib/accounts/resolve-recipient";
import { type PolicyRead, stillPending, tryReadPolicy } from "@/lib/agents/pending-policy";
import { newestPolicyCommitment } from "@/lib/agents/policy-in-force";
import { refuseDocument } from "@/lib/balances/check-document";
import type { Asset } from "@/lib/base/assets";
import type { ContextAccount } from "@/lib/base/context/context";
import type { ChainId } from "@/lib/base/network";
import { newestBlockTime } from "@/lib/chain/fees";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import { acceptsDay } from "@/lib/ledger/policy/day-window";
import type { RecipientProof } from "@/lib/ledger/policy/recipients-tree";
import type { SignedPayment, SignedTransferMany } from "@/lib/ledger/prepare/documents";
import { enforceClientSignedPolicy, enforceUnseenPolicy, ledgerTerms } from "./enforce-policy";

/** What the ledger will check for a client-signed payment. */
export interface ClientSignedTerms {
  policyVersion: bigint;
  /** Null if the ledger opens no policy for it. */
  policyCommitment: bigint | null;
  recipientProof: RecipientProof | undefined;
  follows: readonly string[];
}

/** A client-signed payment or batch, as its policy is asked about it. */
export interface ClientSignedAct {
  chainId: ChainId;
  payer: ContextAccount;
  asset: Asset;
  recipients: readonly Recipient[];
  /** The one-time address that is paid, if the recipient is an `exact` seller. */
  through?: Address | undefined;
  document: SignedPayment | SignedTransferMany;
  /**
   * Whether the owner takes money out, or moves it between the account and its agent. The service's rules don't apply
   * then.
   */
  isFree: boolean;
  /** Whether a blind key pays, whose holder signs for it by itself. */
  isBlind?: boolean | undefined;
}

/**
 * What the chain says about a client-signed payment's policy, read before the transaction; null if no policy applies.
 */
export type ClientSignedRead = { ledger: PolicyRead | Error; commitment: bigint | null } | null;

/** Reads what {@link clientSignedTerms} needs from the chain. */
export async function readClientSignedTerms(act: ClientSignedAct, { record }: LedgerParty): Promise<ClientSignedRead> {
  const { chainId, payer, asset, document } = act;
  if (document.kind === "fund" || !record.limited) return null;
  const ledger = await tryReadPolicy(chainId, payer);
  if (ledger instanceof Error || modeOf(document) !== SPEND_MODE.wallet) return { ledger, commitment: null };
  return { ledger, commitment: await newestPolicyCommitment(ledger, asset.address) };
}

/**
 * Checks a client-signed payment against its payer's policy, under the policy's lock: the service's rules, unless the
 * owner alone decides, and what the ledger will check. A `fund`, and payments of an account without a policy, have
 * none.
 *
 * @throws ApiError `policy_violation`, `policy_not_in_force`, `invalid_request` naming `day`; ReadAgain
 */
export async function clientSignedTerms(
  tx: Tx,
  act: ClientSignedAct,
  { record }: LedgerParty,
  read: ClientSignedRead,
): Promise<ClientSignedTerms> {
  const { chainId, payer, asset, document } = act;
  if (!read) {
    return { policyVersion: record.policyVersion, policyCommitment: null, recipientProof: undefined, follows: [] };
  }
  const { ledger, commitment } = read;
  const mode = modeOf(document);
  const [recipient] = act.recipients;
  const { through } = act;
  if (mode !== SPEND_MODE.wallet && recipient && "day" in document) {
    checkDay(chainId, document);
    const one = { chainId, payer, asset, recipient, through, ledger };
    const now = new Date();
    const terms = act.isBlind
      ? await enforceUnseenPolicy(tx, one, now)
      : act.isFree
        ? await ledgerTerms(tx, one, mode, now)
        : await enforceClientSignedPolicy(tx, one, mode, now);
    if (!terms) throw new Error("a payment by a key has terms");
    return terms;
  }
  // An account's own wallet may exceed its policy; an agent's owner pays as the agent could.
  if (!act.isFree && payer.type === "agent") {
    for (const recipient of act.recipients) {
      const one = { chainId, payer, asset, recipient, through, ledger };
      await enforceClientSignedPolicy(tx, one, SPEND_MODE.wallet, new Date());
    }
  }
  if (ledger instanceof Error) throw ledger;
  const { policyVersion, follows } = await stillPending(tx, ledger);
  return { policyVersion, policyCommitment: commitment, recipientProof: undefined, follows };
}

/** Returns the mode of a document. A batch is always signed by the wallet. */
function modeOf(document: ClientSignedAct["document"]): SpendMode {
  return "mode" in document ? document.mode : SPEND_MODE.wallet;
}

/** Checks the payment's day: it must be this day somewhere on Earth, from now until the deadline. */
function checkDay(chainId: ChainId, { day, deadline }: { day: number; deadline: string }): void {
  const newest = newestBlockTime(chainId) ?? new Date(0);
  const time = Math.max(newest.getTime(), Date.now());
  if (acceptsDay(BigInt(day), BigInt(Math.floor(time / 1000)), BigInt(deadline))) return;
  throw refuseDocument("day", "The ledger takes a payment only on the day that it names, up to its deadline.");
}
