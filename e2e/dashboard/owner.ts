import type { Hex } from "viem";
import { Halcyon } from "@/sdk/client";
import { newAccount, productURL } from "../account";

export { productURL };

/** An enrolled account on the test network, with an SDK client for everything that happens outside the browser. */
export interface Owner {
  /** With the `@`. */
  handle: string;
  address: string;
  walletKey: Hex;
  apiKey: string;
  /** A client with the wallet. */
  client: Halcyon;
}

let counter = 0;

/** Returns a unique handle. */
export function uniqueHandle(name: string): string {
  counter += 1;
  return `${name}-${process.pid}-${Date.now().toString(36)}-${counter}`;
}

/**
 * Creates an enrolled and verified account with an API key.
 *
 * @param options.available balance USDG in its available balance
 * @param options.deposited USDG deposited and not made available
 */
export async function newOwner(
  name: string,
  configDir: string,
  options: { available?: string; deposited?: string } = {},
): Promise<Owner> {
  return newAccount(uniqueHandle(name), { ...options, configDir, label: "Fixture" });
}

/** Returns an account that another worker created, with a client in this process. */
export const ownerAgain = (stored: Owner, configDir: string): Owner => ({
  ...stored,
  client: new Halcyon({ url: productURL, walletKey: stored.walletKey, configDir }),
});
