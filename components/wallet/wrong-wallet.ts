import type { Address } from "viem";
import { HalcyonError } from "@/sdk/api/errors";

/** Returns the error for a wallet in which another account than the session's is active. */
export function wrongWallet(expected: Address, found: Address): HalcyonError {
  return new HalcyonError(
    "unauthorized",
    `You are signed in as ${expected}, but the wallet uses ${found}. Choose the first address in the wallet, or sign ` +
      "out and sign in with the second.",
  );
}
