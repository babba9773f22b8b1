import type { Address } from "viem";
import { expect, test } from "vitest";
import { ANY_RECIPIENT } from "@/lib/ledger/policy/recipients-tree";
import { documentOfPolicy } from "@/lib/policy/policy-document";
import { DENY_ALL } from "@/lib/policy/spend-policy";
import type { PolicySetting } from "./policy-row";
import { treeOf } from "./tree-of";

const address = (digit: string): Address => `0x${digit.repeat(40)}`;
const scope = { chainId: 46630, ledger: address("a"), domainSalt: `0x${"11".repeat(32)}` } as const;
const documentAt = (version: bigint, holder = address("b")) =>
  documentOfPolicy(DENY_ALL, false, { scope, holder, version }, { USDG: address("c"), ETH: address("0") });
const setting = (change: Partial<PolicySetting> = {}): PolicySetting => ({
  salt: new Uint8Array(32).fill(1),
  version: 1n,
  resolved: [address("1"), address("2")],
  setBy: null,
  ...change,
});

test("a tree is built once, and another one for whatever it follows from: recipients, salt, version and holder", () => {
  const first = treeOf(setting(), documentAt(1n));
  expect(treeOf(setting({ setBy: "op_1" }), documentAt(1n))).toBe(first);
  const others = [
    treeOf(setting({ resolved: [address("1")] }), documentAt(1n)),
    treeOf(setting({ salt: new Uint8Array(32).fill(2) }), documentAt(1n)),
    treeOf(setting(), documentAt(2n)),
    treeOf(setting(), documentAt(1n, address("d"))),
  ];
  expect(new Set([first, ...others].map(({ root }) => root)).size).toBe(5);
  expect(first.proofOf(address("3"))).toBeNull();
});

test("with a wildcard the ledger checks no recipient", () => {
  const tree = treeOf(setting({ resolved: "anyone" }), documentAt(1n));
  expect(tree.root).toBe(ANY_RECIPIENT);
  expect(tree.proofOf(address("3"))?.path).toEqual([]);
});
