import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  numberToHex,
  stringToHex,
  toFunctionSelector,
} from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { CIRCUITS } from "../../circuits/build/circuits.ts";
import { ledgerAbi } from "../../lib/chain/abi/ledger.ts";
import { transferVerifierAbi } from "../../lib/chain/abi/verifiers.ts";
import { toProofCalldata } from "../../lib/ledger/prepare/proof.ts";
import { LEDGER_TYPES } from "../../lib/ledger/prepare/struct-types.ts";
import { ALICE_KEY, everyCall, type LedgerCall } from "./every-call.ts";
import { ROOT } from "./forge.ts";
import { proveWithSnarkjs } from "./prove-with-snarkjs.ts";

export const FIXTURES_FILE = "contracts/test/fixtures/calls.json";

/** The chain and time for which the calls are valid; contracts/test/helpers/RealLedgerTest.sol sets up the same. */
const CHAIN_ID = 46630;
const NOW = 1_800_000_000n;
const DEPLOYER: Address = "0x000000000000000000000000000000000000dE91";
const RELAYER: Address = "0x0000000000000000000000000000000000004E1a";
const LEDGER = getContractAddress({ from: DEPLOYER, nonce: 7n });
const USDG = getContractAddress({ from: DEPLOYER, nonce: 8n });
const RECENT_BLOCK_HASH = numberToHex(1, { size: 32 });

/** Reports whether the committed calls were proved with the current keys, for the current functions of the ledger. */
export async function fixturesAreCurrent(): Promise<boolean> {
  const text = await readFile(join(ROOT, FIXTURES_FILE), "utf8").catch(() => null);
  if (text === null) return false;
  const fixtures = JSON.parse(text);
  return fixtures.verificationKeys === (await hashVerificationKeys()) && fixtures.functions === FUNCTIONS;
}

/** A hash of the ledger's function signatures and of what is signed for them. What has changed needs new calls. */
const FUNCTIONS = keccak256(
  stringToHex(
    ledgerAbi.flatMap((item) => (item.type === "function" ? [toFunctionSelector(item)] : [])).join() +
      JSON.stringify(LEDGER_TYPES),
  ),
);

/**
 * Returns one run of every function with real proofs, as calldata for the Solidity tests, and the first call of each
 * verifier in that run.
 */
export async function renderFixtures(): Promise<string> {
  const domainSalt = keccak256(
    encodeAbiParameters([{ type: "bytes32" }, { type: "address" }], [RECENT_BLOCK_HASH, LEDGER]),
  );
  const scope = { chainId: CHAIN_ID, ledger: LEDGER, domainSalt };
  const calls: LedgerCall[] = [];
  const { alice } = await everyCall({
    scope,
    usdg: USDG,
    now: NOW,
    prove: proveWithSnarkjs,
    async send(call) {
      calls.push(call);
    },
  });
  const verifications: Record<string, Hex> = {};
  for (const { proven } of calls) {
    if (proven) verifications[proven.plan.call.circuit] ??= verification(proven);
  }
  const fixtures = {
    verificationKeys: await hashVerificationKeys(),
    functions: FUNCTIONS,
    ledger: LEDGER,
    usdg: USDG,
    domainSalt,
    alicePaymentKey: alice.paymentKey.privateKey,
    verifications,
    names: calls.map(({ name }) => name),
    senders: calls.map(({ sender }) => (sender === "alice" ? privateKeyToAddress(ALICE_KEY) : RELAYER)),
    targets: calls.map(({ to }) => to),
    data: calls.map(({ data }) => data),
  };
  return `${JSON.stringify(fixtures, null, 2)}\n`;
}

/** Returns the verifier call that the ledger makes for a proof. */
function verification({ document, plan }: NonNullable<LedgerCall["proven"]>): Hex {
  const { publicSignals } = plan.call;
  const { a, b, c } = toProofCalldata(document.proof);
  const [{ inputs, ...verifyProof }] = transferVerifierAbi;
  const signals = { ...inputs[3], type: `uint256[${publicSignals.length}]` };
  const abi = [{ ...verifyProof, inputs: [inputs[0], inputs[1], inputs[2], signals] }];
  return encodeFunctionData({ abi, functionName: "verifyProof", args: [a, b, c, publicSignals] });
}

async function hashVerificationKeys(): Promise<string> {
  const hash = createHash("sha256");
  for (const { name, verifier } of CIRCUITS) {
    if (verifier !== null) hash.update(await readFile(join(ROOT, `circuits/artifacts/${name}.vkey.json`)));
  }
  return hash.digest("hex");
}
