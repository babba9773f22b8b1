import type { Hex } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { Halcyon } from "@/sdk/client";

export const productURL = process.env.HALCYON_URL ?? "http://localhost:3000";

/** An enrolled account on the test network, and the SDK's client of it: what happens elsewhere, happens through this. */
export interface Owner {
  /** With @. */
  handle: string;
  address: string;
  walletKey: Hex;
  apiKey: string;
  /** With the wallet. */
  client: Halcyon;
}

let counter = 0;

/** A handle nobody else has. */
export function uniqueHandle(name: string): string {
  counter += 1;
  return `${name}-${process.pid}-${Date.now().toString(36)}-${counter}`;
}

/**
 * A fresh account, enrolled and verified, with an API key.
 *
 * @param options.budget USDG in its budget
 * @param options.credit USDG deposited and not allocated
 */
export async function newOwner(
  name: string,
  configDir: string,
  options: { budget?: string; credit?: string } = {},
): Promise<Owner> {
  const walletKey = generatePrivateKey();
  const client = new Halcyon({ url: productURL, walletKey, configDir });
  const { handle } = await client.signup({ handle: uniqueHandle(name) });
  await client.verifyIdentity();
  if (options.budget) {
    await client.faucet({ amount: options.budget });
    await client.allocate({ amount: options.budget });
  }
  if (options.credit) await client.faucet({ amount: options.credit });
  const { api_key } = await client.createKey({ label: "Fixture" });
  return { handle, address: privateKeyToAddress(walletKey), walletKey, apiKey: api_key, client };
}
