import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Address, bytesToHex, encodeFunctionData, type Hex, keccak256, numberToHex } from "viem";
import { sign } from "viem/accounts";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { testUsdgAbi } from "@/lib/chain/abi/test-usdg";
import { preparedCalldata } from "@/lib/chain/prepared-calldata";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { PreparedDocument } from "@/lib/ledger/prepare/documents";
import { completePlan, type Plan } from "@/lib/ledger/prepare/plan";
import { planAllocation } from "@/lib/ledger/prepare/plan-allocation";
import { planFund } from "@/lib/ledger/prepare/plan-fund";
import { planRelease } from "@/lib/ledger/prepare/plan-release";
import { planTransfer } from "@/lib/ledger/prepare/plan-transfer";
import { keySigner } from "@/lib/ledger/prepare/sign";
import { digestOf } from "@/lib/ledger/prepare/structs";
import { SEALED_ROOT_LENGTHS } from "@/lib/ledger/seal/seal-root";
import { connect } from "@/scripts/contracts/connect";
import type { Deployer } from "@/scripts/contracts/deploy-deterministic";
import { newAgent, newParty, type Party, settle, viewingKeyOf } from "@/scripts/contracts/party";
import { proveWithSnarkjs } from "@/scripts/contracts/prove-with-snarkjs";
import { deployLocal } from "@/scripts/deploy-local";
import { LocalChain } from "@/scripts/stack/local-chain";
import { freePort } from "@/test/services/free-port";

const CHAIN_ID = 46630;
const KEY = numberToHex(0xa11ce, { size: 32 });
const CAROL: Address = "0x00000000000000000000000000000000000CA401";

/** Gas used by whole transactions: ciphertexts and signature included, L1 data of the real chains not. */
export interface GasFigures extends Record<string, number> {
  transfer: number;
  fund: number;
  release: number;
  allocate8: number;
  deposit: number;
  enroll: number;
}

/**
 * Measures every ledger call from its receipt on a fresh local chain, with real proofs. Steady state: accounts, budgets
 * and balances exist already; only what is new each time (a note) is written for the first time.
 */
export async function run(): Promise<GasFigures> {
  const data = mkdtempSync(path.join(tmpdir(), "halcyon-gas-"));
  const genesisTime = Math.floor(Date.now() / 1000);
  const chain = new LocalChain({
    chainId: CHAIN_ID,
    port: await freePort(),
    data,
    genesisTime,
    faucetKey: KEY,
    say() {},
  });
  try {
    await chain.start();
    return await measure(chain.url);
  } finally {
    await chain.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

async function measure(rpcUrl: string): Promise<GasFigures> {
  const access = { rpcUrl, chainId: CHAIN_ID, deployerKey: KEY };
  const { ledger, usdg } = await deployLocal(access);
  const deployer = await connect(access);
  const call = { address: ledger, abi: ledgerAbi } as const;
  const domainSalt = await deployer.reader.readContract({ ...call, functionName: "domainSalt" });
  const scope: Scope = { chainId: CHAIN_ID, ledger, domainSalt };
  const deadline = (await deployer.reader.getBlock()).timestamp + 3600n;
  // The deployer is the payer, so that it can send its deposits itself; everything else is relayed.
  const alice = newParty(scope, KEY);
  const bob = newParty(scope, numberToHex(0xb0b, { size: 32 }));
  const agent = newAgent(scope, alice, numberToHex(0xa6e47, { size: 32 }));
  const from = (party: Party) => ({
    scope,
    asset: usdg,
    deadline,
    account: party.address,
    budget: party.budget,
    payerViewingKey: party.viewing.publicKey,
    secret: party.secret,
  });
  const relay = async <D extends PreparedDocument>(plan: Plan<D>, key: Hex, payer: Party, to?: Party) => {
    const document = await completePlan(plan, proveWithSnarkjs, keySigner(key));
    const gas = await send(deployer, ledger, preparedCalldata(document));
    await settle(scope, document, payer, to);
    return gas;
  };
  const pay = async () =>
    relay(
      await planTransfer({ ...from(alice), to: bob.address, amount: 5n, recipientViewingKey: bob.viewing.publicKey }),
      alice.spender.privateKey,
      alice,
      bob,
    );
  const release = async () =>
    relay(await planRelease({ ...from(alice), to: CAROL, amount: 5n }), alice.spender.privateKey, alice);
  const fund = async () =>
    relay(
      await planFund({
        ...from(alice),
        to: agent.address,
        amount: 5n,
        toBudget: agent.budget,
        toSecret: agent.secret,
      }),
      alice.spender.privateKey,
      alice,
      agent,
    );
  const allocate = async (party: Party, credit: bigint, newLimit: bigint) =>
    relay(
      await planAllocation({ ...from(party), notes: party.notes, credit, newLimit, nonce: party.nonce }),
      party.walletKey,
      party,
    );
  const deposit = (units: bigint) =>
    send(deployer, ledger, encodeFunctionData({ abi: ledgerAbi, functionName: "deposit", args: [usdg, units] }));

  await enroll(deployer, scope, alice, deadline);
  const enrolled = await enroll(deployer, scope, bob, deadline);
  await enrollAgent(deployer, scope, alice, agent, deadline);
  const minted = { abi: testUsdgAbi, functionName: "mint", args: [alice.address, 10n ** 12n] } as const;
  await send(deployer, usdg, encodeFunctionData(minted));
  const approved = { abi: testUsdgAbi, functionName: "approve", args: [ledger, 2n ** 256n - 1n] } as const;
  await send(deployer, usdg, encodeFunctionData(approved));
  await deposit(10n ** 9n);
  const deposited = await deposit(10n ** 9n);
  await allocate(alice, 10n ** 9n, 10n ** 9n);
  // bob has a budget before he allocates what is measured.
  await pay();
  await allocate(bob, 0n, 5n);
  const transferred = await pay();
  for (let note = 1; note < 8; note++) await pay();
  await release();
  await fund();
  return {
    transfer: transferred,
    fund: await fund(),
    release: await release(),
    allocate8: await allocate(bob, 0n, 20n),
    deposit: deposited,
    enroll: enrolled,
  };
}

/** Sends a transaction from the deployer and returns the gas it used. */
async function send({ reader, wallet }: Deployer, to: Address, data: Hex): Promise<number> {
  const hash = await wallet.sendTransaction({ to, data });
  const receipt = await reader.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  if (receipt.status !== "success") throw new Error(`transaction ${hash} was reverted`);
  return Number(receipt.gasUsed);
}

async function enroll(deployer: Deployer, scope: Scope, party: Party, deadline: bigint): Promise<number> {
  const sealedRoot = bytesToHex(crypto.getRandomValues(new Uint8Array(SEALED_ROOT_LENGTHS[0])));
  const shared = {
    account: party.address,
    viewingKey: viewingKeyOf(party),
    spender: party.spender.address,
    spenderUntil: deadline * 2n,
    deadline,
  };
  const digest = digestOf(scope, "Enroll", { ...shared, sealedRootHash: keccak256(sealedRoot), nonce: 0n });
  const args = [{ ...shared, sealedRoot }, await signedBy(party, digest)] as const;
  return send(deployer, scope.ledger, encodeFunctionData({ abi: ledgerAbi, functionName: "enroll", args }));
}

async function enrollAgent(deployer: Deployer, scope: Scope, owner: Party, agent: Party, deadline: bigint) {
  const message = { agent: agent.address, owner: owner.address, nonce: 0n, deadline };
  const digest = digestOf(scope, "EnrollAgent", message);
  const signatures = [await signedBy(owner, digest), await signedBy(agent, digest)] as const;
  const args = [agent.address, owner.address, deadline, ...signatures] as const;
  await send(deployer, scope.ledger, encodeFunctionData({ abi: ledgerAbi, functionName: "enrollAgent", args }));
}

function signedBy(party: Party, hash: Hex): Promise<Hex> {
  return sign({ hash, privateKey: party.walletKey, to: "hex" });
}
