import { type Hex, size } from "viem";
import type { Recipient } from "@/lib/accounts/resolve-recipient";
import { chainEnv } from "@/lib/chain/clients";
import type { ChainId } from "@/lib/network";

/** Without @. The local stack creates the account. */
export const FAILING_HANDLE = "fails.test";

/** How long the ledger may take a payment to it: it fails soon after. Seconds. */
export const FAILING_DEADLINE = 3;

/** Whether payments to a recipient always fail: a test helper of local chains, known nowhere else. */
export function failsAlways(chainId: ChainId, { account }: Pick<Recipient, "account">): boolean {
  return chainEnv(chainId).local && account?.handle === FAILING_HANDLE;
}

/** Gas with which a call reaches the ledger and then reverts: what its bytes cost at most (EIP-7623), and little more. */
export const failingGas = (data: Hex): bigint => 40_000n + 40n * BigInt(size(data));
