import { isAddressEqual, zeroAddress } from "viem";
import { HalcyonError } from "../api/errors";
import type { Context } from "./context";
import { ledgerKey } from "./pins";
import { PAYMENT_KEY_WARNING_SECONDS, sendRenewal } from "./renew-payment-key";
import type { Vault } from "./vault/vault";

/**
 * Refuses keys whose payment key is not the ledger's: the service provides the version of the secret, and an older
 * secret may have leaked. Remembers the highest version that was in force. If the wallet signs without asking a person,
 * renews a payment key that expires within 30 days.
 *
 * @throws HalcyonError `key_forbidden` when the ledger has a different payment key; PinMismatch for an older version
 * than seen before
 */
export async function requireInForce(context: Context, vault: Vault): Promise<void> {
  const [chain, scope] = await Promise.all([context.chain(), context.scope()]);
  const { wallet, pins } = context;
  const { signer: paymentKey, until } = await chain.account(wallet.address);
  if (isAddressEqual(paymentKey, zeroAddress)) {
    throw new HalcyonError(
      "key_forbidden",
      "This account's payment key is switched off on the ledger. Rotate the account secret.",
    );
  }
  if (!isAddressEqual(paymentKey, vault.paymentKey.address)) {
    throw new HalcyonError(
      "key_forbidden",
      `Version ${vault.secretVersion} of the account secret does not fit the payment key on the ledger. ` +
        "Just after a rotation, try again in a minute. Otherwise stop: the service may be undoing one; " +
        "`halcyon rotate-account-secret` creates a new secret.",
    );
  }
  await pins.checkSecretVersion(ledgerKey(scope), wallet.address, vault.secretVersion);
  const left = until - BigInt(Math.floor(Date.now() / 1000));
  // Don't wait for the chain: the caller's work continues, and a failed renewal is retried next time.
  if (wallet.unattended && left < PAYMENT_KEY_WARNING_SECONDS) await sendRenewal(context, vault).catch(() => {});
}
