import { afterEach, expect, it, vi } from "vitest";
import { type ChainAddresses, childEnv } from "./child-env";
import { readConfig, type StackConfig } from "./config";
import type { Secrets } from "./secrets";

const OWN_NODE = "http://127.0.0.1:8545";
const SECRETS = { faucetKey: "0xembedded", relayerSeed: "r" } as unknown as Secrets;
const CHAIN = { rpcUrl: OWN_NODE, ledger: `0x${"11".repeat(20)}` } satisfies ChainAddresses;

/** Returns what the stack gives its processes, of the local chains. */
function localOf(variables: Record<string, string>) {
  vi.unstubAllEnvs();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const config: StackConfig = readConfig();
  const env = childEnv(config, SECRETS, "postgres://a@127.0.0.1/a", { 46630: CHAIN, 4663: CHAIN }, "site");
  return { chains: env.HALCYON_LOCAL_CHAINS, faucet: env.FAUCET_KEY };
}

const both = { RPC_URL_46630: OWN_NODE, RPC_URL_4663: OWN_NODE };
const ledgers = { LEDGER_ADDRESS_46630: CHAIN.ledger, LEDGER_ADDRESS_4663: CHAIN.ledger };

afterEach(() => vi.unstubAllEnvs());

it("the embedded chains are local, and those of other nodes that the environment names, each once", () => {
  expect(localOf({}).chains).toBe("46630,4663");
  expect(localOf({ RPC_URL_46630: OWN_NODE, ...ledgers }).chains).toBe("4663");
  expect(localOf({ HALCYON_LOCAL_CHAINS: "46630,4663" }).chains).toBe("46630,4663");
  expect(localOf({ ...both, ...ledgers, HALCYON_LOCAL_CHAINS: "4663" }).chains).toBe("4663");
  expect(localOf({ ...both, ...ledgers, HALCYON_LOCAL_CHAINS: "" })).toEqual({ chains: "", faucet: undefined });
});

it("an embedded chain has its own faucet; without any, the environment's is left as it is", () => {
  const named = { ...ledgers, HALCYON_LOCAL_CHAINS: "46630,4663", FAUCET_KEY: "0xown" };
  expect(localOf({ ...named, RPC_URL_46630: OWN_NODE }).faucet).toBe("0xembedded");
  expect(localOf({ ...named, ...both })).toEqual({ chains: "46630,4663", faucet: undefined });
});
