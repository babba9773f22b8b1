import { eq } from "drizzle-orm";
import { createTestClient, createWalletClient, type Hex, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { assetBySymbol } from "@/lib/assets";
import { publicClient } from "@/lib/chain/clients";
import { env } from "@/lib/env";
import { deriveSpender, deriveViewingKey, newRoot } from "@/lib/ledger/crypto/keys";
import { foldHistory } from "@/lib/ledger/history/fold-history";
import { formatAmount } from "@/lib/money";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { moneyEvents } from "@/sdk/chain/ledger-events";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
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
  return ledgerSays(owner, ATTACKER.address, await data);
}

/** Sends calls past the service, if the ledger takes them. */
export function sends({ scope }: Owner): (data: Hex) => Promise<string> {
  return async (data) => {
    const outcome = await ledgerSays({ chainId: CHAIN }, ATTACKER.address, data);
    if (outcome !== "accepted") return outcome;
    const transport = http(env().chains.test.rpcUrl);
    await createTestClient({ mode: "anvil", transport }).setBalance({ address: ATTACKER.address, value: 10n ** 18n });
    const wallet = createWalletClient({ account: ATTACKER, transport });
    const hash = await wallet.sendTransaction({ to: scope.ledger, data, gas: 1_500_000n, chain: null });
    const { status } = await publicClient(CHAIN).waitForTransactionReceipt({ hash, pollingInterval: 20 });
    return status === "success" ? outcome : status;
  };
}

/** Has gas and no rights: anyone may send to the ledger. */
const ATTACKER = privateKeyToAccount(generatePrivateKey());

/**
 * An amount over the policy: whether it has a proof at all, and what the ledger says to one under a policy that the
 * attacker made up.
 */
export async function beyond(budget: StolenBudget, payment: RuledPayment, signer: Hex): Promise<string> {
  const proof = (await budget.hasProof(payment)) ? "a proof" : "no proof";
  const data = await budget.spendUnderInvented(payment, signer);
  return `${proof}; under another policy: ${await ledgerSays({ chainId: CHAIN }, ATTACKER.address, data)}`;
}

export const BEYOND = "no proof; under another policy: InvalidProof";

/** The owner's own client, with the wallet, in front of the service or of one that lies. */
export const client = (owner: Owner, meddle?: Meddle) =>
  clientOf(owner.walletKey, env().chains.test.rpcUrl, { meddle });

/** A viewing key that no one has: what is sealed to it opens for no one. */
export const noOnesKey = ({ scope }: Owner | Agent) => deriveViewingKey(newRoot(), scope).publicKey;

/** What the owner reads of a budget from the chain alone, with the viewing key, in dollars. */
export async function readable(holder: Owner | Agent): Promise<string> {
  const chain = publicClient(CHAIN);
  const { scope, address, viewing } = holder;
  const events = await moneyEvents(chain, scope.ledger, address, 0n, await chain.getBlockNumber());
  const { assets } = await foldHistory(scope, address, viewing.secret, events);
  const budget = assets.get(assetBySymbol(CHAIN).address)?.budget;
  return budget ? formatAmount(budget.limit, 6) : "unreadable";
}

/** An account with so many dollars in its budget. */
export const funded = (dollars: bigint) => Owner.funded(CHAIN, dollars * DOLLAR);

/** So many dollars of credit. */
export async function addCredit(owner: Owner, dollars: bigint): Promise<void> {
  await settled(await owner.mint(String(dollars)));
  await settled(await owner.deposit(dollars * DOLLAR));
}
