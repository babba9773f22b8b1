import { type Hex, size } from "viem";
import type { Recipient } from "@/lib/accounts/resolve-recipient";
import type { ChainId } from "@/lib/base/network";
import { chainEnv } from "@/lib/chain/clients";

/** Without @. The local stack creates this account. */
export const FAILING_HANDLE = "fails.test";

/** How long the ledger may take a payment to it, in seconds: it fails soon after. */
export const FAILING_DEADLINE = 3;

/** Reports whether payments to a recipient always fail: a test helper that exists only on local chains. */
export function failsAlways(chainId: ChainId, { account }: Pick<Recipient, "account">): boolean {
  return chainEnv(chainId).local && account?.handle === FAILING_HANDLE;
}

/**
 * Returns gas with which a call reaches the ledger and then reverts: the maximum cost of its bytes (EIP-7623), and
 * little more.
 */
export const failingGas = (data: Hex): bigint => 40_000n + 40n * BigInt(size(data));
