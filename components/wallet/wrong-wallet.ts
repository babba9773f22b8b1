import type { Address } from "viem";
import { HalcyonError } from "@/sdk/api/errors";

/** That another account is active in the wallet than the session's. */
export function wrongWallet(expected: Address, found: Address): HalcyonError {
  return new HalcyonError(
    "unauthorized",
    `You are signed in as ${expected}, but the wallet uses ${found}. Choose the first address in the wallet, or sign ` +
      "out and sign in with the second.",
  );
}
