import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Abi, Hex } from "viem";
import { forge, ROOT } from "./forge.ts";

/** A compiled contract. */
export interface Artifact {
  abi: Abi;
  creation: Hex;
}

/** The contracts that the product deploys, with their source files. */
export const CONTRACTS = {
  Ledger: "Ledger.sol",
  TestUSDG: "TestUSDG.sol",
  TransferVerifier: "TransferVerifier.sol",
  ReleaseVerifier: "ReleaseVerifier.sol",
  FundVerifier: "FundVerifier.sol",
  MakeAvailableVerifier: "MakeAvailableVerifier.sol",
  SpendVerifier: "SpendVerifier.sol",
  SpendPublicVerifier: "SpendPublicVerifier.sol",
  PayManyVerifier: "PayManyVerifier.sol",
} as const;

export type ContractName = keyof typeof CONTRACTS;

const OUT = "contracts/out/product";
/** Where forge stores the output of `compileContracts`. */
export const PRODUCT = { FOUNDRY_OUT: OUT, FOUNDRY_CACHE_PATH: "contracts/cache/product" };

/**
 * Compiles the contracts from scratch and reads the results. Tests and scripts are left out, because what else is
 * compiled in the same run can change names that the optimizer sees, and so the bytecode.
 */
export async function compileContracts(): Promise<Record<ContractName, Artifact>> {
  await forge(["build", "--force", "--skip", "test", "--skip", "script"], {
    env: PRODUCT,
  });
  const entries = Object.entries(CONTRACTS).map(async ([name, file]) => {
    const json = JSON.parse(await readFile(join(ROOT, OUT, file, `${name}.json`), "utf8"));
    if (Object.keys(json.bytecode.linkReferences).length > 0) throw new Error(`${name} needs linking`);
    return [name, { abi: json.abi, creation: json.bytecode.object }] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<ContractName, Artifact>;
}
