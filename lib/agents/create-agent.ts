import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import type { BeforeCommit, Context, KeyContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { lowerAddress } from "@/lib/chain/registry";
import { type ChainScope, scopeOf } from "@/lib/chain/scope-of";
import type { LedgerRecord } from "@/lib/ledger/authority/ledger-record";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { deriveAgentHalf, derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { encryptAgentWallet } from "@/lib/ledger/encrypted/agent-wallet";
import { signRequestOf } from "@/lib/ledger/enrollment";
import { newPolicySalt } from "@/lib/ledger/policy/policy-salts";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import type { AgentView } from "./agent-resource";
import { planPolicy } from "./plan-policy";
import { type FirstPolicy, ownerRecord, type Registration, recordAgent } from "./record-agent";
import { registerAgent } from "./register-agent";
import { requireOwner } from "./require-owner";
import { resolveRecipients } from "./resolve-recipients";
import type { CreateAgentInput } from "./schema";
import { keyDeadline, requireSigner } from "./sign-policy";
import { unavailableWhileSignerChanges } from "./unavailable-while-signer-changes";

/**
 * Registers an agent. If the owner's client has created its wallet, see {@link registerAgent}. Otherwise the service
 * creates the wallet, encrypts it, and signs enrollment and policy with the owner's payment key while the API key's
 * secret is decrypted. If the account is guarded, the policy then waits for the wallet's signature; until then the agent
 * can't pay anyone.
 *
 * @throws ApiError `not_agent_owner`, `key_forbidden`, `handle_taken`, `invalid_request` before the owner is enrolled
 *   and for a session that sends no wallet, `rate_limited`, `unavailable` while the payment key is changing; otherwise
 *   as {@link registerAgent}
 */
export async function createAgent(
  ctx: Context,
  { registration, signed, ...agent }: CreateAgentInput,
  beforeCommit: BeforeCommit<AgentView> = async () => {},
): Promise<AgentView> {
  requireOwner(ctx);
  if (registration && signed) {
    return registerAgent(ctx, { ...agent, registration, signed }, beforeCommit);
  }
  if (ctx.actor === "session") {
    throw new ApiError("invalid_request", "A session creates agents with `registration` only.", {
      param: "registration",
    });
  }
  const owner = await ownerRecord(ctx);
  const created = await unavailableWhileSignerChanges(makeRegistration(ctx, owner, agent.spend_policy ?? DENY_ALL));
  return recordAgent(ctx, agent, owner, created, beforeCommit);
}

async function makeRegistration(ctx: KeyContext, owner: LedgerRecord, policy: SpendPolicy): Promise<Registration> {
  const scope = await scopeOf(ctx.chainId);
  const resolved = await resolveRecipients(ctx.chainId, policy);
  const deadline = keyDeadline();
  const { secret, authority, secretVersion } = await ctx.unwrap();
  try {
    const paymentKey = derivePaymentKey(authority, scope);
    requireSigner(ctx, owner, paymentKey.address, deadline);
    const privateKey = generatePrivateKey();
    const address = lowerAddress(privateKeyToAddress(privateKey));
    const message = { agent: address, owner: ctx.account.address, nonce: 0n, deadline };
    const request = signRequestOf(scope, "EnrollAgent", message);
    const setting = { salt: newPolicySalt(), version: 1n, resolved };
    return {
      address,
      wallet: encryptUnder(authority, scope, address, privateKey),
      deadline,
      ownerSignature: await keySigner(paymentKey.privateKey)(request),
      agentSignature: await keySigner(privateKey)(request),
      secretVersion,
      first: {
        setting,
        document: owner.guarded ? null : await signFirst(scope, address, policy, setting, paymentKey),
        byContract: false,
      },
    };
  } finally {
    secret.fill(0);
    authority.fill(0);
  }
}

async function signFirst(
  scope: ChainScope,
  agent: Address,
  policy: SpendPolicy,
  setting: FirstPolicy["setting"],
  { privateKey }: { privateKey: Hex },
): Promise<FirstPolicy["document"]> {
  return signAuthority(
    scope,
    planPolicy(scope, { address: agent }, { policy, paused: false, setting }, keyDeadline()),
    keySigner(privateKey),
  );
}

function encryptUnder(authority: Uint8Array, scope: ChainScope, agent: Registration["address"], privateKey: Hex): Hex {
  const agentAuthority = deriveAgentHalf(authority, agent, scope);
  try {
    return toHex(encryptAgentWallet(agentAuthority, { scope, agent }, privateKey));
  } finally {
    agentAuthority.fill(0);
  }
}
