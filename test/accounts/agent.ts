import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { db } from "@/db/client";
import { spendPolicies } from "@/db/schema/agents";
import { apiKeys } from "@/db/schema/keys";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import { registerAgent } from "@/lib/agents/register-agent";
import type { ContextAccount, KeyContext, SessionContext } from "@/lib/base/context/context";
import { newId } from "@/lib/base/ids";
import { lowerAddress } from "@/lib/chain/registry";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { deriveAgentHalf, deriveFlagKey, deriveHeldKey, derivePaymentKey } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { encryptAgentWallet } from "@/lib/ledger/encrypted/agent-wallet";
import { signRequestOf } from "@/lib/ledger/enrollment";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import { AvailableHolder, seconds } from "./available-holder";
import type { Owner } from "./owner";
import { signPolicyAs } from "./sign-policy";

/** A permissive policy. A test restricts only what it checks. */
export const GENEROUS: SpendPolicy = {
  ...DENY_ALL,
  dailyLimit: 1_000_000_000n,
  perTransactionLimit: 1_000_000_000n,
  hitlThreshold: 1_000_000_000n,
  allowedRecipients: ["*"],
};

/** An agent of a test's owner, as its registration leaves it. */
export class Agent extends AvailableHolder {
  private constructor(
    readonly owner: Owner,
    readonly account: ContextAccount,
    /** The key of the agent's own wallet, which the service stores encrypted. */
    readonly ownKey: Hex,
  ) {
    super();
  }

  /**
   * Registers an agent as the owner's client does. Returns it with the last of its operations, which sets its policy.
   */
  static async create(
    owner: Owner,
    policy: Partial<SpendPolicy> = {},
    name = `a${randomBytes(4).toString("hex")}`,
  ): Promise<{ agent: Agent; operationId: string }> {
    const { scope, session } = owner;
    const first = { ...GENEROUS, ...policy };
    const privateKey = generatePrivateKey();
    const address = lowerAddress(privateKeyToAddress(privateKey));
    const agentAuthority = deriveAgentHalf(owner.authority, address, scope);
    const deadline = seconds(3_600);
    const message = { agent: address, owner: owner.address, nonce: 0n, deadline };
    const request = signRequestOf(scope, "EnrollAgent", message);
    const view = await registerAgent(session, {
      name,
      spend_policy: first,
      registration: {
        address,
        wallet: toHex(encryptAgentWallet(agentAuthority, { scope, agent: address }, privateKey)),
        deadline: deadline.toString(),
        owner_signature: await keySigner(derivePaymentKey(owner.authority, scope).privateKey)(request),
        agent_signature: await keySigner(privateKey)(request),
        secret_version: 1,
      },
      signed: await signPolicyAs(owner, address, { policy: first, paused: false, version: 1n }),
    });
    const [policyRow] = await db()
      .select({ setBy: spendPolicies.setBy })
      .from(spendPolicies)
      .where(eq(spendPolicies.holderId, view.id));
    if (!policyRow?.setBy) throw new Error("an agent was registered without its policy");
    const account = await findOwnAgent(session, view.id);
    return { agent: new Agent(owner, account, privateKey), operationId: policyRow.setBy };
  }

  get scope(): Scope {
    return this.owner.scope;
  }

  get walletKey(): Hex {
    return this.owner.walletKey;
  }

  get address(): Address {
    return this.account.address;
  }

  get session(): SessionContext {
    return { ...this.owner.session, account: this.account };
  }

  get secret(): Uint8Array {
    return deriveAgentHalf(this.owner.secret, this.account.address, this.owner.scope);
  }

  get authority(): Uint8Array {
    return deriveAgentHalf(this.owner.authority, this.account.address, this.owner.scope);
  }

  get viewing() {
    return this.owner.viewing;
  }

  /** Returns the context of a request with a key of this agent, registered in the database. */
  async key(): Promise<KeyContext> {
    const keyId = newId("key");
    const row = {
      id: keyId,
      accountId: this.owner.account.id,
      agentId: this.account.id,
      label: "test",
      prefix: "hc_test_",
    };
    const rest = { lastFour: "0000", secretVersion: 1, createdAt: new Date() };
    await db()
      .insert(apiKeys)
      .values({ ...row, ...rest, chainId: this.owner.chainId, hash: toHex(randomBytes(32)) });
    const heldPublicKey = deriveHeldKey(this.owner.secret, this.scope).publicKey;
    return {
      ...this.session,
      actor: "key",
      scopes: null,
      keyId,
      unwrap: async () => ({ secret: this.secret, authority: this.authority, heldPublicKey, secretVersion: 1 }),
      unwrapFlagKey: async () => deriveFlagKey(this.secret, this.scope),
    };
  }
}
