import { type Hex, isAddressEqual, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { deriveAgentHalf } from "@/lib/ledger/crypto/keys";
import { encryptAgentWallet } from "@/lib/ledger/encrypted/agent-wallet";
import { signRequestOf } from "@/lib/ledger/enrollment";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { DENY_ALL } from "@/lib/policy/spend-policy";
import type { CallOptions } from "../api/call-options";
import { checkInput } from "../api/check-input";
import { HalcyonError } from "../api/errors";
import type { Agent, SpendPolicyFields } from "../api/resources/agents";
import { callApi } from "../context/call-api";
import type { Context } from "../context/context";
import { poll } from "../context/operation";
import { isNamed, listAgents } from "./agents";
import { patchOfFields } from "./patch-of-fields";
import { handOver, signFirstPolicy } from "./sign-policy";

/** The input for a new agent. */
export interface CreateAgentInput {
  /** 1 to 32 characters of `a-z 0-9 - _`. */
  name: string;
  /** Fields you leave out deny (docs/contract-notes.md, Agents and policy). */
  spendPolicy?: SpendPolicyFields | undefined;
}

/**
 * Creates the agent's wallet on this machine. Returns what the service needs to register it: the wallet, encrypted
 * under a key that the service does not have, both signatures of the enrollment, and the first policy, signed for the
 * ledger.
 */
async function registration(context: Context, policy: SpendPolicyFields = {}) {
  const [scope, vault, chain] = await Promise.all([context.scope(), context.vault(), context.chain()]);
  const privateKey: Hex = generatePrivateKey();
  const agent = lowerCase(privateKeyToAddress(privateKey));
  const authority = deriveAgentHalf(vault.authority, agent, scope);
  const deadline = await chain.deadline();
  const owner = lowerCase(context.wallet.address);
  const request = signRequestOf(scope, "EnrollAgent", { agent, owner, nonce: 0n, deadline });
  return {
    registration: {
      address: agent,
      wallet: toHex(encryptAgentWallet(authority, { scope, agent }, privateKey)),
      deadline: deadline.toString(),
      owner_signature: await keySigner(vault.paymentKey.privateKey)(request),
      agent_signature: await keySigner(privateKey)(request),
      secret_version: vault.secretVersion,
    },
    signed: await signFirstPolicy(context, agent, { ...DENY_ALL, ...patchOfFields(policy) }),
  };
}

/**
 * Waits until the ledger has the agent and its policy. With a wallet, also checks that the wallet is the agent's owner.
 */
async function enrolled(context: Context, agent: Agent): Promise<void> {
  const chain = await context.chain();
  const owner = await poll(context, "The agent's enrollment", async () => {
    const record = await chain.account(agent.public_key);
    // Without a policy, an agent can't pay.
    return record.owner === zeroAddress || record.policyVersion === 0n ? undefined : record.owner;
  });
  if (!context.hasWallet) return;
  if (!isAddressEqual(owner, context.wallet.address)) {
    throw new HalcyonError("internal", "The ledger has this agent under another owner. Do not fund it.");
  }
  await context.pins.checkHandle(await context.info(), agent.handle, agent.public_key);
}

/** Registers an agent. Implements `agents.create`. */
export async function createAgent(context: Context, input: CreateAgentInput, options?: CallOptions): Promise<Agent> {
  checkInput(input, { name: "text!", spendPolicy: "object" });
  const { name, spendPolicy, ...said } = input;
  // What is refused once it is signed could still be carried out.
  if (context.hasWallet && (await listAgents(context)).agents.some(({ handle }) => isNamed(handle, name))) {
    throw new HalcyonError("handle_taken", "You have an agent with this name. Choose another one.", { param: "name" });
  }
  const own = context.hasWallet ? await registration(context, spendPolicy) : undefined;
  const json = { ...said, name, ...(spendPolicy && { spend_policy: spendPolicy }), ...own };
  const { idempotencyKey } = options ?? {};
  const asked = callApi<Agent>(context, "POST", "/v1/accounts/me/agents", { json, idempotencyKey });
  const agent = await (own ? handOver(context, own.signed, asked) : asked);
  const isIt = (one: Agent) =>
    `${one.public_key}`.toLowerCase() === own?.registration.address && isNamed(`${one.handle}`, name);
  if (!agent || (own && !isIt(agent))) {
    const other = new HalcyonError("unavailable", "The service names another agent than was created.");
    throw Object.assign(other, { mayHaveHappened: true });
  }
  await enrolled(context, agent);
  // It has a signer and a policy on the ledger.
  return own ? { ...agent, status: "active" } : agent;
}
