import type { Hex } from "viem";
import { authorityCalldata } from "@/lib/chain/authority-calldata";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import type { Operation } from "../api/api-types";
import { carry } from "./carry";
import type { Context } from "./context";
import { poll } from "./operation";
import { signDraft } from "./sign-draft";
import { spenderUntilFrom, type Vault } from "./vault/vault";

/** Owners are warned, and clients renew, this long before a spender expires: 30 days. */
export const SPENDER_WARNING_SECONDS = 30n * 86_400n;

/** The result of a renewal: the time until which the account's keys may sign payments. */
export interface RenewedSpender {
  /** ISO 8601, UTC. */
  spender_until: string;
  /** Null when the service sent the transaction without reporting it. */
  tx_hash: Hex | null;
}

async function signedRenewal(context: Context, vault: Vault) {
  const [scope, chain] = await Promise.all([context.scope(), context.chain()]);
  const account = lowerCase(context.wallet.address);
  const spenderUntil = spenderUntilFrom();
  const [{ nonce, until: before }, deadline] = await Promise.all([chain.account(account), chain.deadline()]);
  const draft = {
    kind: "set_spender" as const,
    account,
    spender: lowerCase(vault.spender.address),
    spender_until: spenderUntil.toString(),
    nonce: nonce.toString(),
    deadline: deadline.toString(),
  };
  return { before, spenderUntil, document: await signDraft<"set_spender">(scope, draft, context.signer()) };
}

/** Signs a renewal and sends it to the service, without waiting for the chain. */
export async function sendRenewal(context: Context, vault: Vault): Promise<Operation> {
  const [session, { document }] = [await context.session(), await signedRenewal(context, vault)];
  return session.post<Operation>("/api/spender", document);
}

/** Renews the payment signing key. Implements `security.renewSigningKey`. Returns once the service has seen it too. */
export async function renewSpender(context: Context): Promise<RenewedSpender> {
  const [session, chain, vault] = [await context.session(), await context.chain(), await context.vault()];
  const { before, spenderUntil, document } = await signedRenewal(context, vault);
  const { tx_hash } = await carry(context, {
    what: "The renewal",
    data: authorityCalldata(document),
    relay: () => session.post<Operation>("/api/spender", document),
    // Another client of the account may renew the key at the same time.
    isDone: async () => {
      const now = (await chain.account(context.wallet.address)).until;
      return now >= spenderUntil || now > before;
    },
  });
  // Let the service catch up with the chain. Its response doesn't change the result.
  await poll(context, "The renewal", async () => {
    const known = (await context.account()).spender_until;
    return known && BigInt(known) > before ? true : undefined;
  }).catch(() => {});
  return { spender_until: new Date(Number(spenderUntil) * 1000).toISOString(), tx_hash };
}
