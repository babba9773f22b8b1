import type { Hex } from "viem";
import { generatePrivateKey } from "viem/accounts";
import { Halcyon } from "@/sdk/client";
import type { HalcyonOptions } from "@/sdk/context/platform/node-context";

export const productURL = process.env.HALCYON_URL ?? "http://localhost:3000";

/** An account of the product, with a client of its wallet in this process. */
export interface TestAccount {
  /** With the `@`. */
  handle: string;
  accountId: string;
  address: string;
  walletKey: Hex;
  apiKey: string;
  keyId: string;
  client: Halcyon;
}

/**
 * Creates an enrolled and verified account with an API key, through the client in this process, as the command line
 * does (e2e/cli).
 *
 * @param settings.available balance USDG in its available balance
 * @param settings.deposited USDG deposited and not made available
 */
export async function newAccount(
  handle: string,
  settings: { available?: string; deposited?: string; label?: string } & Pick<
    HalcyonOptions,
    "configDir" | "network"
  > = {},
): Promise<TestAccount> {
  const { available, deposited, label = "e2e", configDir, network } = settings;
  const walletKey = generatePrivateKey();
  const client = new Halcyon({ url: productURL, walletKey, configDir, network });
  const created = await client.account.create({ handle });
  await client.account.verifyIdentity();
  if (available) {
    await client.testHelpers.faucet({ amount: available });
    await client.balances.makeAvailable();
  }
  if (deposited) await client.testHelpers.faucet({ amount: deposited });
  const { api_key: apiKey, key_id: keyId } = await client.keys.create({ label });
  return {
    handle: created.handle,
    accountId: created.account_id,
    address: created.public_key,
    walletKey,
    apiKey,
    keyId,
    client,
  };
}
