import { LocalChain } from "@/scripts/stack/local-chain";

// A supervisor of one chain, for tests that kill it: node FILE PORT DATA FAUCET_KEY
const [port, data = "", faucetKey] = process.argv.slice(2);
const chain = new LocalChain({
  chainId: 46630,
  port: Number(port),
  data,
  genesisTime: 1_790_000_000,
  faucetKey: faucetKey as `0x${string}`,
  say: () => {},
});
await chain.start();
process.stdout.write("started");
