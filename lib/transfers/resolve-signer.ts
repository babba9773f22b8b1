import type { Address, Hex } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { removeLayer } from "@/lib/agents/wallet-layer";
import { spenderExpired } from "@/lib/budgets/spender-until";
import type { ContextAccount } from "@/lib/context/context";
import { acceptedPeppers } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { isSignerAt, type LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { maySign } from "@/lib/ledger/authority/may-sign";
import { type PaymentRoute, paymentRoute, type RouteRefusal } from "@/lib/ledger/authority/payment-route";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { deriveSpender, type SpenderKey } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import { openAgentWallet } from "@/lib/ledger/seal/agent-wallet";
import { agentEnded } from "@/lib/payment-errors";
import type { PaymentSecrets } from "./payment-secrets";

/** An agent's own key, sealed under s_i and then under the server's pepper; null of an account, which has none. */
export interface SealedWallet {
  wallet: Hex | null;
  secretVersion: number | null;
}

/** What a payment is signed for: under a policy in a mode, else as the account's own. */
export interface PaymentToSign {
  isPublic: boolean;
  /** Null: of an account that is not ruled. */
  ruled: { mode: SpendMode; key: SealedWallet } | null;
  deadline: bigint;
}

/** Which function of the ledger takes a payment. */
export type TakenBy = Exclude<PaymentRoute, { refused: unknown }>;

/**
 * Who signs a payment, and the function of the ledger that then takes it: of an agent its own key what it may pay by
 * itself, its owner's spender what is approved; of an account its spender. It must count until the deadline.
 *
 * @throws key_forbidden, policy_violation (an agent that has ended) when the ledger would refuse the signer
 */
export function resolveSigner(
  scope: Scope,
  payer: ContextAccount,
  party: LedgerParty,
  secrets: PaymentSecrets,
  { isPublic, ruled, deadline }: PaymentToSign,
): { privateKey: Hex; route: TakenBy } {
  const byAgent = ruled?.mode === SPEND_MODE.agent && payer.type === "agent";
  const { privateKey, address } = byAgent ? agentKey(scope, payer, secrets, ruled.key) : spenderKey(scope, secrets);
  const route = paymentRoute(party, isPublic, address, deadline);
  if ("refused" in route) throw refusedRoute(route.refused);
  const mode = "mode" in route ? route.mode : undefined;
  if (mode !== ruled?.mode) throw mayNotSign();
  return { privateKey, route };
}

/**
 * The owner's spender, which signs what moves between an account and its own agent.
 *
 * @param agent whose side of the move is the agent's
 * @throws key_forbidden when the ledger would refuse it: a guarded account's wallet alone may
 */
export function fundSigner(
  scope: Scope,
  party: LedgerParty,
  agent: Address,
  secrets: PaymentSecrets,
  deadline: bigint,
): Hex {
  const owner = party.owner ?? party;
  const { privateKey, address: signer } = spenderKey(scope, secrets);
  if (maySign({ struct: "Fund" }, { address: agent, record: party.record, owner }, signer, deadline)) return privateKey;
  if (owner.record.guarded) throw guardedFund();
  throw isSignerAt(owner.record, signer, 0n) ? spenderExpired() : mayNotSign();
}

function agentKey(scope: Scope, { address }: ContextAccount, secrets: PaymentSecrets, key: SealedWallet): SpenderKey {
  if (key.wallet === null || key.secretVersion !== secrets.secretVersion) throw mayNotSign();
  const ref = { scope, agent: address };
  const privateKey = openAgentWallet(secrets.payer, ref, removeLayer(acceptedPeppers(), ref, fromHex(key.wallet)));
  return { privateKey, address: privateKeyToAddress(privateKey) };
}

function spenderKey(scope: Scope, { account }: PaymentSecrets): SpenderKey {
  if (!account) throw new Error("an agent's key has no payment signing key");
  return deriveSpender(account, scope);
}

function refusedRoute(refused: RouteRefusal): ApiError {
  switch (refused) {
    case "agent_ended":
      return agentEnded();
    case "signer_expired":
      return spenderExpired();
    case "not_enrolled":
    case "not_authorized":
      return mayNotSign();
  }
}

/** The refusal of a key whose account's wallet or signing key has changed. */
export function mayNotSign(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This key may no longer sign payments of its account. Create a new key in the dashboard, or with the SDK or the command line.",
  );
}

function guardedFund(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This account is guarded: its wallet alone moves money between it and its agents. Use the dashboard or the SDK with " +
      "the wallet, or turn the guard off with `halcyon guard off`.",
  );
}
