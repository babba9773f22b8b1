import { eq } from "drizzle-orm";
import { createTestClient, createWalletClient, type Hex, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { readLedger } from "@/lib/balances/read-ledger";
import { assetBySymbol } from "@/lib/base/assets";
import { env } from "@/lib/base/env";
import { formatAmount } from "@/lib/base/money";
import { publicClient } from "@/lib/chain/clients";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { derivePaymentKey, deriveViewingKey, newAccountKey } from "@/lib/ledger/crypto/keys";
import { decryptAvailableState } from "@/lib/ledger/encrypted/available-state";
import { foldHistory } from "@/lib/ledger/history/fold-history";
import { createTransfer } from "@/lib/payments/create-transfer";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { moneyEvents } from "@/sdk/chain/ledger-events";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { ledgerSays } from "@/test/attacks/forgery";
import { type LimitedPayment, type Payee, StolenAvailableBalance } from "@/test/attacks/stolen-available";
import { clientOf, type Meddle } from "@/test/services/in-process-service";

export const CHAIN = 46630;
export const DOLLAR = 1_000_000n;

/** The agent's policy in all attacks: at most 10 per payment and 20 a day, above 5 with approval, to one payee. */
export const POLICY = { perTransactionLimit: 10n * DOLLAR, dailyLimit: 20n * DOLLAR, hitlThreshold: 5n * DOLLAR };

/** An owner with an agent, both with money, and someone whom the agent may pay. */
export interface Victim {
  owner: Owner;
  agent: Agent;
  /** Allowed by the agent's policy. */
  payee: Owner;
}

/** Creates an account with 200 dollars and an agent that has 60 of them. */
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

/** Creates an account without money. */
export async function enrolled(): Promise<Owner> {
  const owner = await Owner.create(CHAIN);
  await settled(await owner.enroll());
  return owner;
}

/** Waits until everything that was sent for these accounts and agents is final. */
export async function allSettled(...holders: (Owner | Agent)[]): Promise<void> {
  for (const { address } of holders) {
    const rows = await db().select({ id: operations.id }).from(operations).where(eq(operations.account, address));
    await settled(...rows.map(({ id }) => id));
  }
}

export const paymentKeyOf = (owner: Owner): Hex => derivePaymentKey(owner.authority, owner.scope).privateKey;

export const payeeOf = (owner: Owner): Payee => ({ address: owner.address, viewingKey: owner.viewing.publicKey });

export const steal = (holder: Owner | Agent) => StolenAvailableBalance.of(holder);

/** Simulates a call. Returns the name of the ledger's error, or that it accepts the call. Sends nothing. */
export async function says(owner: Owner, data: Promise<Hex> | Hex): Promise<string> {
  return ledgerSays(owner, ATTACKER.address, await data);
}

/** Returns a function that sends a call to the ledger directly, without the service, if the ledger accepts it. */
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

/** An account with gas and no rights. Anyone may send calls to the ledger. */
const ATTACKER = privateKeyToAccount(generatePrivateKey());

/**
 * Tries to pay an amount beyond the policy. Returns whether it can be proved at all, and the ledger's response to a
 * proof under a policy that the attacker made up.
 */
export async function beyond(available: StolenAvailableBalance, payment: LimitedPayment, signer: Hex): Promise<string> {
  const proof = (await available.hasProof(payment)) ? "a proof" : "no proof";
  const data = await available.spendUnderInvented(payment, signer);
  return `${proof}; under another policy: ${await ledgerSays({ chainId: CHAIN }, ATTACKER.address, data)}`;
}

export const BEYOND = "no proof; under another policy: InvalidProof";

/** Returns the owner's own client, with the wallet. `meddle` puts a dishonest service in between. */
export const client = (owner: Owner, meddle?: Meddle) =>
  clientOf(owner.walletKey, env().chains.test.rpcUrl, { meddle });

/** Returns a viewing key that no one has: what is encrypted for it can't be decrypted. */
export const noOnesKey = ({ scope }: Owner | Agent) => deriveViewingKey(newAccountKey(), scope).publicKey;

/** Returns what the owner can read of an available balance from the chain alone, with the viewing key, in dollars. */
export async function readable(holder: Owner | Agent): Promise<string> {
  const chain = publicClient(CHAIN);
  const { scope, address, viewing } = holder;
  const events = await moneyEvents(chain, scope.ledger, address, 0n, await chain.getBlockNumber());
  const { assets } = await foldHistory(scope, address, viewing.secret, events);
  const available = assets.get(assetBySymbol(CHAIN).address)?.available;
  return available ? formatAmount(available.limit, 6) : "unreadable";
}

/** Returns whether a secret decrypts the newest state of an available balance that the service stores. */
export async function newestState({ session, scope, address }: Owner, secret: Uint8Array): Promise<string> {
  const { available, asset_address: asset } = await readLedger(session, { asset: "USDG" });
  try {
    const ref = { scope, account: address, asset, commitment: BigInt(available.newest_commitment) };
    decryptAvailableState(secret, ref, fromHex(available.encrypted ?? "0x"));
    return "opens";
  } catch {
    return "does not open";
  }
}

/** Creates an account with this many dollars in its available balance. */
export const funded = (dollars: bigint) => Owner.funded(CHAIN, dollars * DOLLAR);

/** Deposits this many dollars, which become deposited money. */
export async function addDeposited(owner: Owner, dollars: bigint): Promise<void> {
  await settled(await owner.mint(String(dollars)));
  await settled(await owner.deposit(dollars * DOLLAR));
}
