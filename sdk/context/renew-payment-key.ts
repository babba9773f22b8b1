import type { Hex } from "viem";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { Operation } from "../api/resources/transfers";
import type { Context } from "./context";
import { poll } from "./operation";
import { relayOrSend } from "./relay-or-send";
import { signDraft } from "./sign-draft";
import { paymentKeyUntilFrom, type Vault } from "./vault/vault";

/** Owners are warned, and clients renew, this long before a payment key expires: 30 days. */
export const PAYMENT_KEY_WARNING_SECONDS = 30n * 86_400n;

/** The result of a renewal: the time until which the account's keys may sign payments. */
export interface RenewedPaymentKey {
  /** ISO 8601, UTC. */
  payment_key_until: string;
  /** Null when the service sent the transaction without reporting it. */
  tx_hash: Hex | null;
}

async function signedRenewal(context: Context, vault: Vault) {
  const [scope, chain] = await Promise.all([context.scope(), context.chain()]);
  const account = lowerCase(context.wallet.address);
  const paymentKeyUntil = paymentKeyUntilFrom();
  const [{ nonce, until: before }, deadline] = await Promise.all([chain.account(account), chain.deadline()]);
  const draft = {
    kind: "set_payment_key" as const,
    account,
    payment_key: lowerCase(vault.paymentKey.address),
    payment_key_until: paymentKeyUntil.toString(),
    nonce: nonce.toString(),
    deadline: deadline.toString(),
  };
  return { before, paymentKeyUntil, document: await signDraft<"set_payment_key">(scope, draft, context.signer()) };
}

/** Signs a renewal and sends it to the service, without waiting for the chain. */
export async function sendRenewal(context: Context, vault: Vault): Promise<Operation> {
  const [session, { document }] = [await context.session(), await signedRenewal(context, vault)];
  return session.post<Operation>("/api/payment-key", document);
}

/** Renews the payment key. Implements `security.renewPaymentKey`. Returns once the service has seen it too. */
export async function renewPaymentKey(context: Context): Promise<RenewedPaymentKey> {
  const [session, chain, vault] = [await context.session(), await context.chain(), await context.vault()];
  const { before, paymentKeyUntil, document } = await signedRenewal(context, vault);
  const { tx_hash } = await relayOrSend(context, {
    what: "The renewal",
    data: authorityCalldata(document),
    deadline: document.deadline,
    relay: () => session.post<Operation>("/api/payment-key", document),
    // Another client of the account may renew the key at the same time.
    isDone: async () => {
      const now = (await chain.account(context.wallet.address)).until;
      return now >= paymentKeyUntil || now > before;
    },
  });
  // Let the service catch up with the chain. Its response doesn't change the result.
  await poll(context, "The renewal", async () => {
    const known = (await context.account()).payment_key_until;
    return known && BigInt(known) > before ? true : undefined;
  }).catch(() => {});
  const { until } = await chain.account(context.wallet.address);
  return { payment_key_until: new Date(Number(until) * 1000).toISOString(), tx_hash };
}
