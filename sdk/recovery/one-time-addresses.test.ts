import {
  ContractFunctionExecutionError,
  ContractFunctionZeroDataError,
  erc20Abi,
  type Hex,
  HttpRequestError,
} from "viem";
import { expect, test } from "vitest";
import { deriveOneTimeKey } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { Chain } from "../chain/chain";
import { findUnclaimed } from "./one-time-addresses";

const SCOPE: Scope = { chainId: 46630, ledger: `0x${"1e".repeat(20)}`, domainSalt: `0x${"5a".repeat(32)}` };
const SECRET = new Uint8Array(32).fill(7);
const account: Hex = `0x${"a1".repeat(20)}`;
const paymentId: Hex = `0x${"33".repeat(32)}`;
const asset: Hex = `0x${"00".repeat(20)}`;
const to = deriveOneTimeKey(SECRET, SCOPE, paymentId).address;

/** Returns a chain with one public payment to a one-time address, where reading the asset fails for this reason. */
const chainWhere = (reason: Error) =>
  ({
    ledger: SCOPE.ledger,
    client: {
      getBlockNumber: async () => 9n,
      getContractEvents: async () => [{ args: { to, asset, paymentId }, blockNumber: 5n }],
      getBlock: async () => ({ timestamp: 1n }),
      readContract: async () => {
        throw reason;
      },
    },
  }) as unknown as Chain;

const find = (reason: Error) => findUnclaimed(chainWhere(reason), SCOPE, [SECRET], [account], 0n);

test("an asset without EIP-3009 at a one-time address keeps nothing else from being recovered", async () => {
  const cause = new ContractFunctionZeroDataError({ functionName: "authorizationState" });
  const context = { abi: erc20Abi, functionName: "balanceOf", args: [to] };
  await expect(find(new ContractFunctionExecutionError(cause, context))).resolves.toEqual([]);
});

test("a node that fails is not taken for an address without money", async () => {
  await expect(find(new HttpRequestError({ url: "http://127.0.0.1:1" }))).rejects.toThrow();
});
