import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  type Abi,
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  type Hex,
  http,
  parseEther,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

interface Compiled {
  abi: Abi;
  evm: { bytecode: { object: string } };
}

const FILE = "contracts/test/helpers/Wallets.sol";
let compiled: Record<string, Compiled> | undefined;

/** Returns the contract wallets that the ledger's own tests use, compiled once per process. */
function walletsOf(): Record<string, Compiled> {
  if (compiled) return compiled;
  const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };
  const sources = [FILE, "contracts/src/interfaces/ILedger.sol"].map((file) => {
    return [file, { content: readFileSync(file, "utf8") }];
  });
  const settings = { evmVersion: "cancun", outputSelection: { [FILE]: { "*": ["abi", "evm.bytecode.object"] } } };
  const input = { language: "Solidity", sources: Object.fromEntries(sources), settings };
  const { contracts } = JSON.parse(solc.compile(JSON.stringify(input)));
  compiled = contracts[FILE] as Record<string, Compiled>;
  return compiled;
}

/**
 * Deploys a contract wallet of `contracts/test/helpers/Wallets.sol` on a local chain.
 *
 * @returns its address in lower case
 */
export async function deployWalletOn(rpcUrl: string, name: string, args: readonly unknown[] = []): Promise<Address> {
  const wallet = walletsOf()[name];
  if (!wallet) throw new Error(`there is no wallet ${name}`);
  const transport = http(rpcUrl);
  const account = privateKeyToAccount(generatePrivateKey());
  await createTestClient({ mode: "anvil", transport }).setBalance({ address: account.address, value: parseEther("1") });
  const bytecode: Hex = `0x${wallet.evm.bytecode.object}`;
  const deployment = { abi: wallet.abi, bytecode, args, chain: null };
  const hash = await createWalletClient({ account, transport }).deployContract(deployment);
  const { contractAddress } = await createPublicClient({ transport }).waitForTransactionReceipt({
    hash,
    pollingInterval: 50,
  });
  if (!contractAddress) throw new Error("the wallet was not deployed");
  return contractAddress.toLowerCase() as Address;
}
