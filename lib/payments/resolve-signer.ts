import { type Address, type Hex, zeroHash } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { paymentKeyExpired } from "@/lib/accounts/payment-key-until";
import { removeLayer } from "@/lib/agents/wallet-layer";
import { neverAccepted, SignerRefused } from "@/lib/balances/signer-refused";
import type { ContextAccount } from "@/lib/base/context/context";
import { acceptedPeppers } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { agentEnded } from "@/lib/base/payment-errors";
import { isSignerAt, type LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { maySign } from "@/lib/ledger/authority/may-sign";
import { type PaymentRoute, paymentRoute, type RouteRefusal } from "@/lib/ledger/authority/payment-route";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { derivePaymentKey, type SigningKey } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import { decryptAgentWallet } from "@/lib/ledger/encrypted/agent-wallet";

/** The secrets that sign: the payer's authority, and that of the account unless a key of the agent signs. */
interface SigningSecrets {
  payerAuthority: Uint8Array;
  account: { authority: Uint8Array } | null;
  secretVersion: number;
}

/** An agent's own key, encrypted under a_i and then under the server's pepper; null for an account, which has none. */
export interface EncryptedWallet {
  wallet: Hex | null;
  secretVersion: number | null;
}

/** What a signature is needed for: a payment under a policy in some mode, or an account's own payment. */
interface PaymentToSign {
  isPublic: boolean;
  /** Null for an account without a policy. */
  limited: { mode: SpendMode; key: EncryptedWallet } | null;
  deadline: bigint;
}

/** The ledger function that takes a payment. */
export type TakenBy = Exclude<PaymentRoute, { refused: unknown }>;

/**
 * Returns who signs a payment, and the ledger function that takes it. An agent's own key signs what it may pay by
 * itself; the owner's payment key signs what is approved; an account's payment key signs the account's payments. The
 * signer must be valid until the deadline.
 *
 * @throws ApiError `key_forbidden`, `policy_violation` (an ended agent) when the ledger would refuse the signer
 */
export function resolveSigner(
  scope: Scope,
  payer: ContextAccount,
  party: LedgerParty,
  secrets: SigningSecrets,
  { isPublic, limited, deadline }: PaymentToSign,
): { privateKey: Hex; route: TakenBy } {
  const byAgent = limited?.mode === SPEND_MODE.agent && payer.type === "agent";
  const { privateKey, address } = byAgent ? agentKey(scope, payer, secrets, limited.key) : paymentKeyOf(scope, secrets);
  const route = acceptedRoute(scope, payer, party, address, { isPublic, deadline });
  const mode = "mode" in route ? route.mode : undefined;
  if (mode !== limited?.mode) throw mayNotSign();
  return { privateKey, route };
}

function acceptedRoute(
  scope: Scope,
  payer: ContextAccount,
  party: LedgerParty,
  signer: Address,
  { isPublic, deadline }: Pick<PaymentToSign, "isPublic" | "deadline">,
): TakenBy {
  const route = paymentRoute(party, isPublic, signer, deadline);
  if (!("refused" in route)) return route;
  const error = refusedRoute(route.refused);
  if (route.refused === "agent_ended") throw error;
  const wouldBe = (then: LedgerParty) => !("refused" in paymentRoute(then, isPublic, signer, deadline));
  const isAccepted = route.refused === "signer_expired" ? neverAccepted : wouldBe;
  throw new SignerRefused({ chainId: scope.chainId as ChainId, holder: payer, isAccepted }, error);
}

/**
 * Returns the owner's payment key, which signs moves between an account and its own agent.
 *
 * @param agent the agent that takes part in the move
 * @throws ApiError `key_forbidden` when the ledger would refuse it: for a guarded account only the wallet may sign
 */
export function fundSigner(
  scope: Scope,
  party: LedgerParty,
  agent: Address,
  secrets: SigningSecrets,
  deadline: bigint,
): Hex {
  const owner = party.owner ?? party;
  const { privateKey, address: signer } = paymentKeyOf(scope, secrets);
  const isAccepted = ({ record, owner = { address: party.address, record } }: LedgerParty) =>
    maySign({ struct: "Fund" }, { address: agent, record, owner }, signer, deadline);
  if (isAccepted(party)) return privateKey;
  if (owner.record.guarded) throw guardedFund();
  const [chainId, holder] = [scope.chainId as ChainId, { address: party.address, rootAddress: owner.address }];
  if (isSignerAt(owner.record, signer, 0n)) {
    throw new SignerRefused({ chainId, holder, isAccepted: neverAccepted }, paymentKeyExpired());
  }
  throw new SignerRefused({ chainId, holder, isAccepted }, mayNotSign());
}

function agentKey(
  scope: Scope,
  { address }: ContextAccount,
  secrets: SigningSecrets,
  key: EncryptedWallet,
): SigningKey {
  if (key.wallet === null || key.secretVersion !== secrets.secretVersion) throw mayNotSign();
  const ref = { scope, agent: address };
  const privateKey = decryptAgentWallet(
    secrets.payerAuthority,
    ref,
    removeLayer(acceptedPeppers(), ref, fromHex(key.wallet)),
  );
  return { privateKey, address: privateKeyToAddress(privateKey) };
}

function paymentKeyOf(scope: Scope, { account }: SigningSecrets): SigningKey {
  if (!account) throw new Error("an agent's key has no payment key");
  return derivePaymentKey(account.authority, scope);
}

function refusedRoute(refused: RouteRefusal): ApiError {
  switch (refused) {
    case "agent_ended":
      return agentEnded();
    case "signer_expired":
      return paymentKeyExpired();
    case "not_enrolled":
    case "not_authorized":
      return mayNotSign();
  }
}

/** Returns the error for an account that is not enrolled. */
export function notEnrolled(chainId: ChainId, holder: ContextAccount): SignerRefused {
  const isAccepted = ({ record }: LedgerParty) => record.viewingKey !== zeroHash;
  return new SignerRefused({ chainId, holder, isAccepted }, mayNotSign());
}

/** Returns the error for a key whose account's wallet or signing key has changed. */
function mayNotSign(): ApiError {
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
