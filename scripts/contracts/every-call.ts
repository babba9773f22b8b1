import { type Address, encodeFunctionData, type Hex, keccak256, numberToHex } from "viem";
import { sign } from "viem/accounts";
import { NO_OPTIONAL_RULES } from "@/lib/ledger/policy/policy-document";
import { ledgerAbi } from "../../lib/chain/abi/ledger.ts";
import { testUsdgAbi } from "../../lib/chain/abi/test-usdg.ts";
import { documentCalldata } from "../../lib/chain/document-calldata.ts";
import type { PolicyOpening } from "../../lib/ledger/crypto/policy-commitment.ts";
import type { Scope } from "../../lib/ledger/crypto/scope.ts";
import { SPEND_MODE, type SpendMode } from "../../lib/ledger/crypto/terms.ts";
import { ENCRYPTED_ACCOUNT_KEY_LENGTHS } from "../../lib/ledger/encrypted/account-key.ts";
import { policyCall } from "../../lib/ledger/policy/policy-call.ts";
import type { PolicyDocument } from "../../lib/ledger/policy/policy-document.ts";
import { newPolicySalt, policyCommitmentSalt } from "../../lib/ledger/policy/policy-salts.ts";
import { NO_RECIPIENT_PROOF, type RecipientProof } from "../../lib/ledger/policy/recipients-tree.ts";
import type { SignedDocument } from "../../lib/ledger/prepare/documents.ts";
import { keySigner } from "../../lib/ledger/prepare/key-signer.ts";
import { completePlan, type Plan } from "../../lib/ledger/prepare/plan.ts";
import { planFund } from "../../lib/ledger/prepare/plan-fund.ts";
import { planMakeAvailable } from "../../lib/ledger/prepare/plan-make-available.ts";
import { planRelease } from "../../lib/ledger/prepare/plan-release.ts";
import { planSpend } from "../../lib/ledger/prepare/plan-spend.ts";
import { planSpendPublic } from "../../lib/ledger/prepare/plan-spend-public.ts";
import { planTransfer } from "../../lib/ledger/prepare/plan-transfer.ts";
import { planTransferMany } from "../../lib/ledger/prepare/plan-transfer-many.ts";
import type { LedgerMessages, LedgerStruct } from "../../lib/ledger/prepare/struct-types.ts";
import { digestOf } from "../../lib/ledger/prepare/structs.ts";
import type { Prove } from "../../lib/ledger/prepare/witness.ts";
import { newAgent, newParty, type Party, settle, viewingKeyOf } from "./party.ts";

const DOLLAR = 1_000_000n;
const DAY_SECONDS = 86_400n;
/** The recipient of public payments, which is not an account. */
export const CAROL: Address = "0x00000000000000000000000000000000000ca401";
export const ALICE_KEY = numberToHex(0xa11ce, { size: 32 });

/** One transaction. */
export interface LedgerCall {
  /** What the call does. The calls that `gasFigures` reads do it in the steady state. */
  name: string;
  /** Only deposits and mints need alice as the sender. For other calls the sender doesn't matter. */
  sender: "alice" | "relayer";
  to: Address;
  data: Hex;
  /** For calls with a proof. */
  proven?: { document: SignedDocument; plan: Plan<SignedDocument>; key: Hex; recipient: RecipientProof };
}

/** The chain and ledger that receive the calls. */
export interface LedgerSite {
  scope: Scope;
  usdg: Address;
  /** The chain's time in Unix seconds. */
  now: bigint;
  prove: Prove;
  send(call: LedgerCall): Promise<void>;
}

export interface Everyone {
  alice: Party;
  bob: Party;
  agent: Party;
  payees: Party[];
}

/**
 * Calls every function that moves money, with the plans of the client library and with real proofs. Alice makes money
 * available, pays, releases and funds her agent, which pays under its policy in every mode until she ends it; bob makes
 * what available he received. Each call builds on the previous one.
 *
 * @returns the participants, with the openings of what they have at the end
 */
export async function everyCall(site: LedgerSite): Promise<Everyone> {
  const { scope, usdg } = site;
  const deadline = site.now + 3_600n;
  const alice = newParty(scope, ALICE_KEY);
  const bob = newParty(scope, numberToHex(0xb0b, { size: 32 }));
  const agent = newAgent(scope, alice, numberToHex(0xa6e47, { size: 32 }));
  const payees = Array.from({ length: 16 }, (_, index) => newParty(scope, numberToHex(0x9a1 + index, { size: 32 })));
  const everyone = { alice, bob, agent, payees };
  const all = [alice, bob, agent, ...payees];

  const from = (party: Party) => ({
    scope,
    asset: usdg,
    deadline,
    account: party.address,
    available: party.available,
    payerViewingKey: party.viewing.publicKey,
    secret: party.secret,
    policyVersion: party.policyVersion,
  });
  const toBob = (amount: bigint) => ({ to: bob.address, amount, recipientViewingKey: bob.viewing.publicKey });

  /** Proves, signs and sends a plan. */
  async function pay<D extends SignedDocument>(
    name: string,
    plan: Plan<D>,
    key: Hex,
    recipient: RecipientProof = NO_RECIPIENT_PROOF,
  ): Promise<void> {
    const document = await completePlan(plan, site.prove, keySigner(key));
    const proven = { document, plan: plan as unknown as Plan<SignedDocument>, key, recipient };
    const data = documentCalldata(document, recipient, document.account === agent.address.toLowerCase());
    await site.send({ name, sender: "relayer", to: scope.ledger, data, proven });
    await settle(scope, document, all);
  }

  async function send(name: string, data: Hex, to = scope.ledger, sender: LedgerCall["sender"] = "relayer") {
    await site.send({ name, sender, to, data });
  }

  function signed<K extends LedgerStruct>(key: Hex, struct: K, message: LedgerMessages[K]): Promise<Hex> {
    return sign({ hash: digestOf(scope, struct, message), privateKey: key, to: "hex" });
  }

  async function enroll(name: string, party: Party) {
    const encryptedAccountKey = keccak256Bytes(party.address, ENCRYPTED_ACCOUNT_KEY_LENGTHS[0]);
    const params = {
      account: party.address,
      viewingKey: viewingKeyOf(party),
      paymentKey: party.paymentKey.address,
      paymentKeyUntil: site.now + 360n * DAY_SECONDS,
      deadline,
    };
    const message = { ...params, encryptedAccountKeyHash: keccak256(encryptedAccountKey), nonce: 0n };
    const args = [{ ...params, encryptedAccountKey }, await signed(party.walletKey, "Enroll", message)] as const;
    await send(name, encodeFunctionData({ abi: ledgerAbi, functionName: "enroll", args }));
  }

  async function enrollAgent() {
    const message = { agent: agent.address, owner: alice.address, nonce: 0n, deadline };
    const args = [
      agent.address,
      alice.address,
      deadline,
      await signed(alice.paymentKey.privateKey, "EnrollAgent", message),
      await signed(agent.walletKey, "EnrollAgent", message),
    ] as const;
    await send("enrollAgent", encodeFunctionData({ abi: ledgerAbi, functionName: "enrollAgent", args }));
  }

  /** @returns the opening of the policy commitment, and the proofs of recipients */
  async function setPolicy(name: string, key: Hex, resolved: readonly Address[] | "anyone") {
    const policySalt = newPolicySalt();
    const limits = { perPayment: 100n * DOLLAR, daily: 1_000n * DOLLAR, threshold: 50n * DOLLAR };
    const document: PolicyDocument = {
      scope,
      holder: agent.address,
      version: agent.policyVersion + 1n,
      paused: false,
      hours: { start: 0, end: 1_440 },
      zone: "UTC",
      assets: [{ asset: usdg, allowed: true, ...limits }],
      recipients: resolved === "anyone" ? ["*"] : resolved.map((one) => one.toLowerCase()).sort(),
      ...NO_OPTIONAL_RULES,
    };
    const { tree, commitments, assets, ...call } = policyCall(policySalt, document, resolved);
    const params = { account: agent.address, limited: true, ...call, assets, commitments, deadline };
    const message = { ...params, policyVersion: agent.policyVersion };
    const args = [params, await signed(key, "SetPolicy", message)] as const;
    await send(name, encodeFunctionData({ abi: ledgerAbi, functionName: "setPolicy", args }));
    agent.policyVersion += 1n;
    const policy: PolicyOpening = { ...limits, salt: policyCommitmentSalt(policySalt, document, usdg) };
    return { policy, policyCommitment: commitments[0] ?? 0n, proofOf: tree.proofOf };
  }

  type Policy = Awaited<ReturnType<typeof setPolicy>>;
  const terms = (mode: SpendMode) => ({ mode, day: mode === SPEND_MODE.wallet ? 0n : site.now / DAY_SECONDS });
  const spend = async (name: string, { proofOf, ...limited }: Policy, mode: SpendMode, key: Hex, amount: bigint) =>
    pay(
      name,
      await planSpend({ ...from(agent), ...toBob(amount), ...limited, terms: terms(mode) }),
      key,
      mode === SPEND_MODE.wallet ? NO_RECIPIENT_PROOF : (proofOf(bob.address) ?? NO_RECIPIENT_PROOF),
    );

  const fund = async (name: string, payer: Party, receiver: Party, amount: bigint, key: Hex) =>
    pay(
      name,
      await planFund({
        ...from(payer),
        to: receiver.address,
        amount,
        toAvailable: receiver.available,
        toSecret: receiver.secret,
      }),
      key,
    );

  const mint = (who: Address, units: bigint) =>
    send("mint", encodeFunctionData({ abi: testUsdgAbi, functionName: "mint", args: [who, units] }), usdg, "alice");
  const deposit = (name: string, units: bigint) =>
    send(
      name,
      encodeFunctionData({ abi: ledgerAbi, functionName: "deposit", args: [usdg, units] }),
      scope.ledger,
      "alice",
    );
  const byAlice = alice.paymentKey.privateKey;

  await enroll("first enroll", alice);
  await enroll("enroll", bob);
  for (const payee of payees) await enroll("enroll a payee", payee);
  await enrollAgent();
  await mint(alice.address, 10_000n * DOLLAR);
  await mint(CAROL, 1n);
  const approval = { abi: testUsdgAbi, functionName: "approve", args: [scope.ledger, 2n ** 256n - 1n] } as const;
  await send("approve", encodeFunctionData(approval), usdg, "alice");
  await deposit("first deposit", 1_000n * DOLLAR);
  await deposit("deposit", 1_000n * DOLLAR);
  await pay(
    "make available deposited money",
    await planMakeAvailable({
      ...from(alice),
      notes: [],
      deposited: 1_900n * DOLLAR,
      newLimit: 1_800n * DOLLAR,
      nonce: alice.nonce,
    }),
    alice.walletKey,
  );

  await pay("transfer", await planTransfer({ ...from(alice), ...toBob(25n * DOLLAR) }), byAlice);
  await pay("release", await planRelease({ ...from(alice), to: CAROL, amount: 5n * DOLLAR }), byAlice);
  await pay(
    "transferMany",
    await planTransferMany({
      ...from(alice),
      payments: payees.map((payee, index) => ({
        to: payee.address,
        amount: (1n + BigInt(index)) * DOLLAR,
        recipientViewingKey: payee.viewing.publicKey,
      })),
    }),
    byAlice,
  );
  await pay(
    "transferMany of six",
    await planTransferMany({ ...from(alice), payments: Array.from({ length: 6 }, () => toBob(3n * DOLLAR)) }),
    byAlice,
  );

  const anyone = await setPolicy("first setPolicy", byAlice, "anyone");
  await fund("first fund", alice, agent, 200n * DOLLAR, byAlice);
  await fund("fund", alice, agent, 100n * DOLLAR, byAlice);
  await spend("spend", anyone, SPEND_MODE.agent, agent.walletKey, 10n * DOLLAR);
  const { proofOf: _, ...limited } = anyone;
  const payout = { to: CAROL, amount: 7n * DOLLAR, terms: terms(SPEND_MODE.agent) };
  await pay("spendPublic", await planSpendPublic({ ...from(agent), ...limited, ...payout }), agent.walletKey);
  const recipients = [bob.address, CAROL, ...payees.slice(0, 14).map(({ address }) => address)];
  const among16 = await setPolicy("setPolicy", byAlice, recipients);
  await spend("spendAmong16", among16, SPEND_MODE.agent, agent.walletKey, 20n * DOLLAR);
  await spend("spend with approval", among16, SPEND_MODE.approved, byAlice, 60n * DOLLAR);

  const guard = { account: alice.address, guarded: true, nonce: alice.nonce, deadline };
  const guardArgs = [alice.address, true, deadline, await signed(alice.walletKey, "SetGuarded", guard)] as const;
  await send("setGuarded", encodeFunctionData({ abi: ledgerAbi, functionName: "setGuarded", args: guardArgs }));
  alice.nonce += 1n;

  const ended = { owner: alice.address, agents: [agent.address], signers: [zero], until: 0n, deadline };
  const policyVersions = [agent.policyVersion];
  const end = await signed(byAlice, "SetAgentSigner", { ...ended, policyVersions });
  const endArgs = [ended, end] as const;
  await send("end the agent", encodeFunctionData({ abi: ledgerAbi, functionName: "setAgentSigner", args: endArgs }));
  agent.policyVersion += 1n;
  await spend("spend by the wallet", among16, SPEND_MODE.wallet, alice.walletKey, 120n * DOLLAR);
  await fund("fund back", agent, alice, 80n * DOLLAR, alice.walletKey);

  const receipts = (notes: Party["notes"], newLimit: bigint) =>
    planMakeAvailable({ ...from(bob), notes, deposited: 0n, newLimit, nonce: bob.nonce });
  await pay("make available a note", await receipts(bob.notes.slice(0, 1), 25n * DOLLAR), bob.walletKey);
  await pay("makeAvailable8", await receipts(bob.notes.slice(0, 8), 30n * DOLLAR), bob.walletKey);
  return everyone;
}

const zero: Address = `0x${"00".repeat(20)}`;

/** Returns bytes without zeros that differ by address, like ciphertexts. */
function keccak256Bytes(address: Address, length: number): Hex {
  const block = keccak256(address).slice(2).replaceAll("0", "a");
  return `0x${block.repeat(Math.ceil(length / 32)).slice(0, 2 * length)}`;
}
