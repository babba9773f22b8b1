import { type Hex, isAddressEqual } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { lowerAddress, type RegistryRecord } from "@/lib/chain/registry";
import { scopeOf } from "@/lib/chain/scope-of";
import type { BeforeCommit, KeyContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { deriveAgentSecret, deriveSpender } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { signRequestOf } from "@/lib/ledger/enrollment";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { sealAgentWallet } from "@/lib/ledger/seal/agent-wallet";
import type { AgentView } from "./agent-resource";
import { ownerRecord, type Registration, recordAgent } from "./record-agent";
import { requireOwner } from "./require-owner";
import type { CreateAgentInput } from "./schema";

/** How long the ledger may take the enrolment: an hour less than it allows, for clocks that differ. Seconds. */
const DEADLINE = 23 * 3_600;

/**
 * Registers an agent by API key: the service makes its wallet and seals it, and signs the enrolment with the owner's
 * spender, while the key's secret is open. See `registerAgent` for a client that hands nothing over.
 *
 * @throws ApiError `not_agent_owner`, `key_forbidden`, `handle_taken`, `invalid_request` before the owner is enrolled,
 *   `rate_limited`
 */
export async function createAgent(
  ctx: KeyContext,
  { name, spend_policy: policy }: CreateAgentInput,
  beforeCommit: BeforeCommit<AgentView> = async () => {},
): Promise<AgentView> {
  requireOwner(ctx);
  const owner = await ownerRecord(ctx);
  const registration = await makeRegistration(ctx, owner);
  return recordAgent(ctx, { name, policy }, owner, registration, beforeCommit);
}

async function makeRegistration(ctx: KeyContext, owner: RegistryRecord): Promise<Registration> {
  const scope = await scopeOf(ctx.chainId);
  const deadline = BigInt(Math.floor(Date.now() / 1000) + DEADLINE);
  const { secret, secretVersion } = await ctx.unwrap();
  try {
    const spender = deriveSpender(secret, scope);
    if (!isAddressEqual(spender.address, owner.spender) || owner.spenderUntil < deadline) {
      const message =
        "This key may no longer sign for its account. Create a new key in the dashboard, or with the SDK or the command line.";
      throw new ApiError("key_forbidden", message);
    }
    const privateKey = generatePrivateKey();
    const address = lowerAddress(privateKeyToAddress(privateKey));
    const message = { agent: address, owner: ctx.account.address, nonce: 0n, deadline };
    const request = signRequestOf(scope, "EnrollAgent", message);
    return {
      address,
      wallet: sealUnder(secret, scope, address, privateKey),
      deadline,
      ownerSignature: await keySigner(spender.privateKey)(request),
      agentSignature: await keySigner(privateKey)(request),
      secretVersion,
    };
  } finally {
    secret.fill(0);
  }
}

function sealUnder(secret: Uint8Array, scope: Scope, agent: Registration["address"], privateKey: Hex): Hex {
  const agentSecret = deriveAgentSecret(secret, agent, scope);
  try {
    return toHex(sealAgentWallet(agentSecret, { scope, agent }, privateKey));
  } finally {
    agentSecret.fill(0);
  }
}
