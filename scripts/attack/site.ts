import { eq } from "drizzle-orm";
import { type Hex, toHex } from "viem";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { publicClient } from "@/lib/chain/clients";
import { env } from "@/lib/env";
import { deriveSpender } from "@/lib/ledger/crypto/keys";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { sendAlone } from "@/test/accounts/send-alone";
import { ledgerSays } from "@/test/attacks/forgery";
import { type Payee, type RuledPayment, StolenBudget } from "@/test/attacks/stolen-budget";
import { clientOf, type Meddle } from "@/test/services/in-process-service";

export const CHAIN = 46630;
export const DOLLAR = 1_000_000n;

/** The agent's policy in all attacks: 10 for each payment, 20 each day, 5 without approval, to one payee. */
export const POLICY = { perTransactionLimit: 10n * DOLLAR, dailyLimit: 20n * DOLLAR, hitlThreshold: 5n * DOLLAR };

/** An owner with an agent, both with money, and someone the agent may pay. */
export interface Victim {
  owner: Owner;
  agent: Agent;
  /** In the agent's policy. */
  payee: Owner;
}

/** An account with so many dollars, and an agent of it with 60 of them. */
export async function victim(policy: Partial<SpendPolicy> = {}): Promise<Victim> {
  const [owner, payee] = await Promise.all([Owner.funded(CHAIN, 200n * DOLLAR), enrolled()]);
  const recipients = [`@${payee.account.handle}`];
  const { agent, operationId } = await Agent.create(owner, { ...POLICY, allowedRecipients: recipients, ...policy });
  await settled(operationId);
  const to = `@${agent.account.handle}`;
  await createTransfer(await owner.key(), { asset: "USDG", confidential: true, to, amount: "60" });
  await allSettled(owner);
  return { owner, agent, payee };
}

/** An account without money. */
export async function enrolled(): Promise<Owner> {
  const owner = await Owner.create(CHAIN);
  await settled(await owner.enroll());
  return owner;
}

/** Waits until everything that was sent for an account or agent is final. */
export async function allSettled(...holders: (Owner | Agent)[]): Promise<void> {
  for (const { address } of holders) {
    const rows = await db().select({ id: operations.id }).from(operations).where(eq(operations.account, address));
    await settled(...rows.map(({ id }) => id));
  }
}

export const spenderKey = (owner: Owner): Hex => deriveSpender(owner.secret, owner.scope).privateKey;

export const payeeOf = (owner: Owner): Payee => ({ address: owner.address, viewingKey: owner.viewing.publicKey });

export const steal = (holder: Owner | Agent) => StolenBudget.of(holder);

/** What the ledger says to a call: the name of its refusal, or that it takes it. Nothing is sent. */
export async function says(owner: Owner, data: Promise<Hex> | Hex): Promise<string> {
  return ledgerSays(owner, ATTACKER, await data);
}

/** Sends a call past the service, if the ledger takes it. */
export async function send(owner: Owner, data: Promise<Hex> | Hex): Promise<string> {
  const call = await data;
  const outcome = await ledgerSays(owner, ATTACKER, call);
  if (outcome === "accepted") await sendAlone(CHAIN, call);
  return outcome;
}

/** Has gas and no rights: anyone may send to the ledger. */
const ATTACKER = toHex(0xa77ac6, { size: 20 });

/**
 * An amount over the policy: whether it has a proof at all, and what the ledger says to one under a policy that the
 * attacker made up.
 */
export async function beyond(budget: StolenBudget, payment: RuledPayment, signer: Hex): Promise<string> {
  const proof = (await budget.hasProof(payment)) ? "a proof" : "no proof";
  const data = await budget.spendUnderInvented(payment, signer);
  return `${proof}; under another policy: ${await ledgerSays({ chainId: CHAIN }, ATTACKER, data)}`;
}

export const BEYOND = "no proof; under another policy: InvalidProof";

/** The owner's own client, with the wallet, in front of the service or of one that lies. */
export const client = (owner: Owner, meddle?: Meddle) =>
  clientOf(owner.walletKey, env().chains.test.rpcUrl, { meddle });

export const latest = () => publicClient(CHAIN).getBlock();
