import { isAddressEqual, recoverTypedDataAddress } from "viem";
import { chainEnv } from "@/lib/chain/clients";
import { isoTime } from "@/lib/clock";
import type { ContextAccount, SessionContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { CONSENT_SECONDS, policyChangeTypedData, type WalletConsent } from "@/lib/policy/policy-change";

/** What a session sends of a wallet's consent: the signature, and the fields of the request it stands for. */
export interface SentConsent extends WalletConsent {
  fields: object;
}

/**
 * Refuses a change that loosens a policy unless the owner's wallet has signed exactly it, over the policy as it is: a
 * stolen session cookie alone gives no agent more to spend.
 *
 * @throws ApiError `key_forbidden`
 */
export async function requireConsent(
  ctx: SessionContext,
  agent: ContextAccount,
  updatedAt: Date,
  consent: SentConsent | undefined,
  now: Date,
): Promise<void> {
  const refuse = (message: string) => new ApiError("key_forbidden", message, { param: "wallet_consent" });
  if (!consent) throw refuse("This lets the agent spend more: sign the change with your wallet.");
  const since = isoTime(updatedAt);
  if (consent.since !== since) throw refuse("The policy has changed since you signed. Look at it, and sign again.");
  const deadline = BigInt(consent.deadline);
  const seconds = BigInt(Math.floor(now.getTime() / 1000));
  if (deadline < seconds || deadline > seconds + 2n * BigInt(CONSENT_SECONDS)) {
    throw refuse("Your wallet's signature has run out. Sign the change again.");
  }
  const data = policyChangeTypedData({
    network: ctx.network,
    ledger: chainEnv(ctx.chainId).ledger,
    agent: { handle: `@${agent.handle}`, address: agent.address },
    fields: consent.fields,
    since,
    deadline,
  });
  const signer = await recoverTypedDataAddress({ ...data, signature: consent.signature }).catch(() => null);
  if (signer === null || !isAddressEqual(signer, agent.rootAddress)) {
    throw refuse("This change was not signed by your account's wallet as it arrived. Sign it again.");
  }
}
