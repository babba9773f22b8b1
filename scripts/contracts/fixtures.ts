import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Address, encodeAbiParameters, getContractAddress, type Hex, keccak256, numberToHex } from "viem";
import { preparedCalldata } from "../../lib/chain/prepared-calldata.ts";
import type { PreparedDocument } from "../../lib/ledger/prepare/documents.ts";
import type { Plan } from "../../lib/ledger/prepare/plan.ts";
import { completePlan } from "../../lib/ledger/prepare/plan.ts";
import { planAllocation } from "../../lib/ledger/prepare/plan-allocation.ts";
import { planFund } from "../../lib/ledger/prepare/plan-fund.ts";
import { planRelease } from "../../lib/ledger/prepare/plan-release.ts";
import { planTransfer } from "../../lib/ledger/prepare/plan-transfer.ts";
import { keySigner } from "../../lib/ledger/prepare/sign.ts";

import { ROOT } from "./forge.ts";
import { newAgent, newParty, settle, viewingKeyOf } from "./party.ts";
import { proveWithSnarkjs } from "./prove-with-snarkjs.ts";

export const FIXTURES_FILE = "contracts/test/fixtures/calls.json";

/** Where and when the calls are valid; contracts/test/helpers/RealLedgerTest.sol makes the same world. */
const CHAIN_ID = 46630;
const NOW = 1_800_000_000n;
const DEPLOYER: Address = "0x000000000000000000000000000000000000dE91";
const LEDGER = getContractAddress({ from: DEPLOYER, nonce: 4n });
const USDG = getContractAddress({ from: DEPLOYER, nonce: 5n });
const RECENT_BLOCK_HASH = numberToHex(1, { size: 32 });
const CAROL: Address = "0x00000000000000000000000000000000000CA401";
const DOLLAR = 1_000_000n;

/** Whether the committed calls were proven with the present keys. */
export async function fixturesAreCurrent(): Promise<boolean> {
  const text = await readFile(join(ROOT, FIXTURES_FILE), "utf8").catch(() => null);
  return text !== null && JSON.parse(text).verificationKeys === (await hashVerificationKeys());
}

/**
 * One run of every function with real proofs, as calldata for the Solidity tests: alice allocates, pays bob, releases,
 * funds her agent, which pays her; bob allocates what he received. Each call builds on the one before it.
 */
export async function renderFixtures(): Promise<string> {
  const domainSalt = keccak256(
    encodeAbiParameters([{ type: "bytes32" }, { type: "address" }], [RECENT_BLOCK_HASH, LEDGER]),
  );
  const scope = { chainId: CHAIN_ID, ledger: LEDGER, domainSalt };
  const alice = newParty(scope, numberToHex(0xa11ce, { size: 32 }));
  const bob = newParty(scope, numberToHex(0xb0b, { size: 32 }));
  const agent = newAgent(scope, alice, numberToHex(0xa6e47, { size: 32 }));
  const calls: Record<string, Hex> = {};
  const common = { scope, asset: USDG, deadline: NOW + 3600n };
  const from = (party: typeof alice) => ({
    ...common,
    account: party.address,
    budget: party.budget,
    payerViewingKey: party.viewing.publicKey,
    secret: party.secret,
  });
  async function add<D extends PreparedDocument>(name: string, plan: Plan<D>, key: Hex): Promise<D> {
    const document = await completePlan(plan, proveWithSnarkjs, keySigner(key));
    calls[name] = preparedCalldata(document);
    return document;
  }

  const allocation = { ...from(alice), notes: [], credit: 600n * DOLLAR, newLimit: 500n * DOLLAR, nonce: 0n };
  await settle(scope, await add("allocate", await planAllocation(allocation), alice.walletKey), alice);

  const payment = { ...from(alice), to: bob.address, amount: 25n * DOLLAR, recipientViewingKey: bob.viewing.publicKey };
  await settle(scope, await add("transfer", await planTransfer(payment), alice.spender.privateKey), alice, bob);

  const release = { ...from(alice), to: CAROL, amount: 5n * DOLLAR };
  await settle(scope, await add("release", await planRelease(release), alice.spender.privateKey), alice);

  const funding = {
    ...from(alice),
    to: agent.address,
    amount: 50n * DOLLAR,
    toBudget: agent.budget,
    toSecret: agent.secret,
  };
  await settle(scope, await add("fund", await planFund(funding), alice.spender.privateKey), alice, agent);

  const wage = { ...from(agent), to: bob.address, amount: 10n * DOLLAR, recipientViewingKey: bob.viewing.publicKey };
  await settle(scope, await add("agentTransfer", await planTransfer(wage), agent.walletKey), agent, bob);

  const back = {
    ...from(agent),
    to: alice.address,
    amount: 40n * DOLLAR,
    toBudget: alice.budget,
    toSecret: alice.secret,
  };
  await settle(scope, await add("fundBack", await planFund(back), alice.walletKey), agent, alice);

  const receipts = { ...from(bob), notes: bob.notes, credit: 0n, newLimit: 35n * DOLLAR, nonce: 0n };
  await add("allocateNotes", await planAllocation(receipts), bob.walletKey);

  const fixtures = {
    verificationKeys: await hashVerificationKeys(),
    ledger: LEDGER,
    usdg: USDG,
    domainSalt,
    aliceViewingKey: viewingKeyOf(alice),
    aliceSpenderKey: alice.spender.privateKey,
    bobViewingKey: viewingKeyOf(bob),
    calls,
  };
  return `${JSON.stringify(fixtures, null, 2)}\n`;
}

async function hashVerificationKeys(): Promise<string> {
  const hash = createHash("sha256");
  for (const circuit of ["transfer", "release", "fund", "allocate"]) {
    hash.update(await readFile(join(ROOT, `circuits/artifacts/${circuit}.vkey.json`)));
  }
  return hash.digest("hex");
}
