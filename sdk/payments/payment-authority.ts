import { isAddressEqual } from "viem";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { maySign } from "@/lib/ledger/authority/may-sign";
import { type PaymentRoute, paymentRoute, type RouteRefusal } from "@/lib/ledger/authority/payment-route";
import type { AvailableOpening } from "@/lib/ledger/crypto/commitments";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { chainAllows } from "@/lib/ledger/policy/chain-allows";
import { keySigner, type Signer } from "@/lib/ledger/prepare/key-signer";
import type { LimitedTerms } from "@/lib/ledger/prepare/limited-step";
import type { Counting } from "@/lib/policy/counting";
import type { Party } from "../account/party";
import { policyInForceOf } from "../account/session-policy";
import { HalcyonError } from "../api/errors";
import type { Context } from "../context/context";
import type { Vault } from "../context/vault/vault";
import type { PaymentInput } from "./payment";
import { dayWithin, termsWithin } from "./terms-within";

/** Who signs a payment, its deadline, and the ledger rules that apply to it. */
export interface PaymentAuthority {
  by: "key" | "wallet";
  sign: Signer;
  /** Unix seconds. For a payment that counts toward a day's limit, within that day. */
  deadline: bigint;
  policyVersion: bigint;
  /** For a payment under a policy; null for an account without one. */
  limited: LimitedTerms | null;
  /** What the policy counts for it besides its day; null for nothing. */
  counting?: Counting | null;
}

const REFUSALS = {
  not_enrolled: "The ledger does not have this account yet. Try again soon.",
  agent_ended: "This agent has ended: nothing pays from it. Take its money back with a payment to yourself.",
  signer_expired:
    "The account's payment key has expired. Renew it in the settings or with `halcyon renew-payment-key`.",
  not_authorized: "The account secret has been rotated. Unlock the account again.",
} as const satisfies Record<RouteRefusal, string>;

/** The account's payment key, and those that this client has replaced. */
type OwnPaymentKey = Pick<Vault, "paymentKey" | "replaced">;

/**
 * Checks that the payment key may pay from an account without a policy.
 *
 * @throws HalcyonError `key_forbidden`; `unavailable` while the ledger has a key that this client has replaced
 */
export function requirePaymentKey(party: LedgerParty, isPublic: boolean, vault: OwnPaymentKey, deadline: bigint): void {
  requireRoute(paymentRoute(party, isPublic, vault.paymentKey.address, deadline), party, vault);
}

/**
 * Returns the error for a signature with a key that the ledger does not have. If the ledger has an earlier one, the
 * block of the rotation has left the chain, and the transaction will be in another.
 */
function notAuthorized({ record }: Pick<LedgerParty, "record">, { replaced = [] }: OwnPaymentKey): HalcyonError {
  const isBefore = replaced.some((one) => isAddressEqual(one, record.signer));
  if (!isBefore) return new HalcyonError("key_forbidden", REFUSALS.not_authorized);
  return new HalcyonError("unavailable", "The ledger does not have the new payment key yet. Try again soon.");
}

/**
 * @throws HalcyonError `key_forbidden` when the ledger would not take the signature, `unavailable` when it will soon,
 *   `policy_violation` from an ended agent
 */
function requireRoute(
  route: PaymentRoute,
  party: LedgerParty,
  vault: OwnPaymentKey,
): Exclude<PaymentRoute, { refused: RouteRefusal }> {
  if (!("refused" in route)) return route;
  const message = REFUSALS[route.refused];
  switch (route.refused) {
    case "not_enrolled":
      throw new HalcyonError("unavailable", message);
    case "agent_ended":
      throw new HalcyonError("policy_violation", message, { reason: "agent_paused" });
    case "not_authorized":
      throw notAuthorized(ownerOf(party), vault);
    case "signer_expired":
      throw new HalcyonError("key_forbidden", message);
  }
}

/**
 * Returns the ways in which the ledger accepts a payment, preferring those that need no person. An account without a
 * policy pays with its payment key. An account under a policy pays with that key within the policy, and with
 * its wallet beyond it. From an agent, the owner's payment key signs payments within the agent's limits; the
 * wallet signs what the owner takes out, which doesn't count toward the limits. Money between an account and its agents
 * moves with the payment key, or in a guarded account with the wallet.
 *
 * @throws HalcyonError `key_forbidden`, `policy_violation`, `policy_not_in_force`, `unavailable`
 */
export async function authoritiesOf(
  context: Context,
  payer: Party,
  input: PaymentInput,
  deadline: bigint,
): Promise<PaymentAuthority[]> {
  const [chain, vault] = await Promise.all([context.chain(), context.vault()]);
  const party = await chain.party(payer.address);
  const paymentKey = vault.paymentKey.address;
  const byPaymentKey = { by: "key" as const, sign: keySigner(vault.paymentKey.privateKey) };
  const byWallet = { by: "wallet" as const, sign: context.signer() };
  const { policyVersion } = party.record;
  const plain = { deadline, policyVersion, limited: null };
  if (input.kind === "fund") return [{ ...((await fundsByKey()) ? byPaymentKey : byWallet), ...plain }];

  const isPublic = input.kind === "release";
  if (!party.record.limited) {
    requirePaymentKey(party, isPublic, vault, deadline);
    return [{ ...byPaymentKey, ...plain }];
  }
  const policyCommitment = await chain.policyCommitmentOf(payer.address, input.asset.address);
  const terms = { mode: SPEND_MODE.wallet, day: 0n };
  const beyond: PaymentAuthority = { ...byWallet, ...plain, limited: { terms, policyCommitment } };
  if (payer.type === "agent") return input.counted ? [await withinPolicy()] : [beyond];
  const within = await withinPolicy().catch((error: unknown) => {
    if (error instanceof HalcyonError) return null;
    throw error;
  });
  return within ? [within, beyond] : [beyond];

  async function fundsByKey(): Promise<boolean> {
    const agent = payer.type === "agent" ? party : await chain.party(input.to.address);
    if (maySign({ struct: "Fund" }, agent, paymentKey, deadline)) return true;
    const { record } = ownerOf(agent);
    if (!record.guarded) {
      if (!isAddressEqual(record.signer, paymentKey)) throw notAuthorized({ record }, vault);
      throw new HalcyonError("key_forbidden", REFUSALS.signer_expired);
    }
    return false;
  }

  async function withinPolicy(): Promise<PaymentAuthority> {
    const [policy, now] = await Promise.all([policyInForceOf(context, payer), chain.now()]);
    const inDay = dayWithin(policy, now, deadline);
    const route = requireRoute(paymentRoute(party, isPublic, paymentKey, inDay.deadline), party, vault);
    if (!("mode" in route))
      throw new HalcyonError("available_balance_changed", "The account's policy has just changed. Try again.");
    const payee = input.seller ? { handle: null, address: input.seller } : input.to;
    const paid = { to: input.to.address, payee, asset: input.asset.address, commitment: policyCommitment };
    return { ...byPaymentKey, policyVersion, ...termsWithin(policy, paid, route.mode, now, inDay) };
  }
}

function ownerOf({ owner, record }: LedgerParty) {
  return owner ?? { record };
}

/** Returns the first way that the amount limits permit. If none does, returns the first, whose error says why. */
export function chooseAuthority(
  authorities: readonly PaymentAuthority[],
  available: AvailableOpening,
  units: bigint,
): PaymentAuthority {
  const open = authorities.find(({ limited }) => {
    if (!limited) return true;
    const verdict = chainAllows(available, limited.policy ?? null, limited.terms, units);
    // If the balance is too low, no other signer helps.
    return verdict.allowed || verdict.reason === "insufficient_funds";
  });
  const [first] = authorities;
  const chosen = open ?? first;
  if (!chosen) throw new RangeError("a payment is signed by someone");
  return chosen;
}
