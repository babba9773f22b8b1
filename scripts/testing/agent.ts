import { randomBytes } from "node:crypto";
import { type Address, encodeFunctionData, type Hex, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { db } from "@/db/client";
import { accounts, ledgerAccounts } from "@/db/schema/accounts";
import { agents, spendPolicies } from "@/db/schema/agents";
import { apiKeys } from "@/db/schema/keys";
import { rowOfPolicy } from "@/lib/agents/policy-row";
import { addLayer } from "@/lib/agents/wallet-layer";
import type { ContextAccount, KeyContext, SessionContext } from "@/lib/auth/context";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { broadcast } from "@/lib/chain/broadcast";
import { lowerAddress } from "@/lib/chain/registry";
import { newId } from "@/lib/ids";
import { sealAgentWallet } from "@/lib/ledger/agent-wallet";
import { toHex } from "@/lib/ledger/bytes";
import { signRequestOf } from "@/lib/ledger/enrollment";
import { deriveAgentSecret, deriveFlagKey, deriveHeldKey, deriveSpender } from "@/lib/ledger/keys";
import type { Scope } from "@/lib/ledger/scope";
import { keySigner } from "@/lib/ledger/sign";
import { submitOperation } from "@/lib/operations/submit";
import { DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import { BudgetHolder, seconds } from "./budget-holder";
import type { Owner } from "./owner";

/** Allows everybody much; a test narrows what it is about. */
export const GENEROUS: SpendPolicy = {
  ...DENY_ALL,
  dailyLimit: 1_000_000_000n,
  perTransactionLimit: 1_000_000_000n,
  hitlThreshold: 1_000_000_000n,
  allowedRecipients: ["*"],
};

/** An agent of an owner in a test, as its registration leaves it. */
export class Agent extends BudgetHolder {
  private constructor(
    readonly owner: Owner,
    readonly account: ContextAccount,
    /** Of the agent's own wallet, which the service holds sealed. */
    readonly ownKey: Hex,
  ) {
    super();
  }

  /** Registers an agent and relays its enrolment; answers it with the operation. */
  static async create(owner: Owner, policy: Partial<SpendPolicy> = {}): Promise<{ agent: Agent; operationId: string }> {
    const { chainId, scope } = owner;
    const privateKey = generatePrivateKey();
    const address = lowerAddress(privateKeyToAccount(privateKey).address);
    const id = newId("account");
    const createdAt = new Date();
    const row = { id, handle: `${owner.account.handle}/a${randomBytes(4).toString("hex")}`, address, createdAt };
    const account: ContextAccount = { ...row, type: "agent", rootId: owner.account.id, rootAddress: owner.address };
    const agent = new Agent(owner, account, privateKey);
    const place = { scope, agent: address };
    const wallet = toHex(addLayer(place, sealAgentWallet(agent.secret, place, privateKey)));
    const deadline = seconds(3_600);
    const request = signRequestOf(scope, "EnrollAgent", { agent: address, owner: owner.address, nonce: 0n, deadline });
    const spender = deriveSpender(owner.secret, scope).privateKey;
    const signatures = [await keySigner(spender)(request), await keySigner(privateKey)(request)] as const;
    const args = [address, owner.address, deadline, ...signatures] as const;
    const data = encodeFunctionData({ abi: ledgerAbi, functionName: "enrollAgent", args });
    const operation = await db().transaction(async (tx) => {
      await tx.insert(accounts).values({ ...row, type: "agent", ownerId: owner.account.id, chainId });
      await tx.insert(agents).values({ accountId: id, chainId, status: "active", wallet, secretVersion: 1 });
      const stored = rowOfPolicy({ ...GENEROUS, ...policy });
      await tx.insert(spendPolicies).values({ ...stored, id: newId("policy"), agentId: id, updatedAt: createdAt });
      await tx.insert(ledgerAccounts).values({
        chainId,
        address,
        viewingKey: toHex(owner.viewing.publicKey),
        spender: zeroAddress,
        spenderUntil: 0n,
        owner: owner.address,
      });
      const submitted = { chainId, kind: "enroll_agent" as const, account: address, quotaOf: owner.address };
      return submitOperation(tx, {
        ...submitted,
        target: scope.ledger,
        data,
        deadline: new Date(Number(deadline) * 1000),
        after: owner.address,
      });
    });
    broadcast(operation);
    return { agent, operationId: operation.id };
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
    return deriveAgentSecret(this.owner.secret, this.account.address, this.owner.scope);
  }

  get viewing() {
    return this.owner.viewing;
  }

  /** The context of a request with a key of this agent, registered in the database. */
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
      keyId,
      unwrap: async () => ({ secret: this.secret, heldPublicKey, secretVersion: 1 }),
      unwrapFlagKey: async () => deriveFlagKey(this.secret, this.scope),
    };
  }
}
