import type { Hex } from "viem";
import type { Halcyon } from "@/sdk/client";
import { newAccount, productURL } from "../account";

export { productURL };

/**
 * An enrolled account on the test network, and the SDK's client of it: what happens elsewhere, happens through this.
 */
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

/** A handle no one else has. */
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
  return newAccount(uniqueHandle(name), { ...options, configDir, label: "Fixture" });
}
