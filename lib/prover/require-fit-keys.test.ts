import { expect, test } from "vitest";
import { type ChainEnv, EnvError } from "@/lib/env";
import { requireFitKeys } from "./require-fit-keys";

const chain = (network: "test" | "live", local: boolean): ChainEnv => ({
  network,
  chainId: network === "live" ? 4663 : 46630,
  rpcUrl: "http://127.0.0.1:1",
  ledger: `0x${"11".repeat(20)}`,
  usdg: `0x${"22".repeat(20)}`,
  ledgerBlock: 0n,
  local,
  finality: "latest",
});
const chains = (test: boolean, live: boolean) => ({ test: chain("test", test), live: chain("live", live) });

test("development keys never serve the public live chain", () => {
  expect(() => requireFitKeys(chains(true, false), true)).toThrow(EnvError);
  expect(() => requireFitKeys(chains(false, false), true)).toThrow("docs/ceremony.md");
});

test("they serve local chains and the public test chain; keys of a ceremony serve every chain", () => {
  for (const test of [true, false]) requireFitKeys(chains(test, true), true);
  requireFitKeys(chains(true, false), false);
});
