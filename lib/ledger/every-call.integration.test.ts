import {
  BaseError,
  decodeErrorResult,
  type Hex,
  hexToBytes,
  RpcRequestError,
  type TransactionReceipt,
  toHex,
} from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { transferVerifierAbi } from "@/lib/chain/abi/verifiers";
import { documentCalldata } from "@/lib/chain/document-calldata";
import { artifactFiles, repositoryRoot } from "@/lib/prover/artifact-files";
import { createInThreadProver } from "@/lib/prover/create-in-thread-prover";
import { type Everyone, everyCall, type LedgerCall } from "@/scripts/contracts/every-call";
import { GAS_LIMITS, gasFigures } from "@/scripts/contracts/gas-figures";
import { type LocalSite, startLocalSite } from "@/scripts/contracts/local-site";
import { alteredDocuments, signAgain } from "@/test/ledger/altered-documents";
import { signal } from "@/test/ledger/plans";
import {
  availableCommitment,
  EMPTY_AVAILABLE_OPENING,
  EMPTY_NOTE,
  type NoteOpening,
  noteCommitment,
} from "./crypto/commitments";
import { commitmentToHex, FIELD_ORDER } from "./crypto/field";
import { NO_WINDOW } from "./crypto/window";
import { spendableNotes } from "./history/account-history";
import { foldHistory } from "./history/fold-history";
import { decodeLedgerLog, type LedgerEvent, type LedgerLog, MONEY_EVENTS, type MoneyEvent } from "./ledger-events";
import { dayWindow } from "./policy/day-window";
import type { SignedDocument, SignedTransferMany } from "./prepare/documents";
import { keySigner } from "./prepare/key-signer";
import { lowerCase } from "./prepare/next-state";
import { finishPlan, makePlan } from "./prepare/plan";
import { toProofCalldata } from "./prepare/proof";

/*
 * Runs the client library's plans, proved with the committed keys, on the deployed ledger. The ledger is asked about
 * every call before it is sent; the tests check its responses.
 */
const { prove } = createInThreadProver(artifactFiles(repositoryRoot()));

type Proven = NonNullable<LedgerCall["proven"]>;
const proven: Record<string, Proven> = {};
/** Gas of the transaction, and gas of its execution without its calldata, whose random bytes make the total vary. */
const gas: Record<string, { transaction: number; execution: number }> = {};
/** The ledger's response to a proof for a changed public signal, by call and signal. */
const altered: Record<string, string> = {};
/** The response of the verifier itself. */
const verified: Record<string, boolean> = {};
/**
 * The ledger's response to a call that has happened already, repeated as it was and signed over the new commitments.
 */
const again: Record<string, string> = {};
const refused: Record<string, string> = {};

const kindOf = ({ document }: Proven) => (document.kind === "spend" ? `spend in mode ${document.mode}` : document.kind);
const kindsOf = (all: Record<string, Proven>) => new Set(Object.values(all).map(kindOf));

let site: LocalSite;
let stop: () => Promise<void> = async () => {};
let everyone: Everyone;

/** Returns the name of the ledger's refusal, or "accepted". */
async function says(data: Hex): Promise<string> {
  const { reader, wallet } = site.relayer;
  try {
    await reader.call({ account: wallet.account.address, to: site.scope.ledger, data });
    return "accepted";
  } catch (error) {
    const rpc = error instanceof BaseError && error.walk((cause) => cause instanceof RpcRequestError);
    if (!(rpc instanceof RpcRequestError) || typeof rpc.data !== "string") throw error;
    return decodeErrorResult({ abi: ledgerAbi, data: rpc.data as Hex }).errorName;
  }
}

/** Returns a calendar day that the ledger accepts now, other than the payment's. */
function otherDay(deadline: bigint): number {
  const today = site.now / 86_400n;
  return Number(deadline < dayWindow(today - 1n).until ? today - 1n : today + 1n);
}

async function alter(name: string, { document, key, recipient }: Proven): Promise<void> {
  const all = Object.entries(alteredDocuments(document, otherDay(BigInt(document.deadline))));
  await Promise.all(
    all.map(async ([one, changed]) => {
      const signed = await signAgain(site.scope, changed, key);
      altered[`${name}: ${one}`] = await says(documentCalldata(signed, recipient));
    }),
  );
}

async function verify(name: string, { document, plan }: Proven): Promise<void> {
  const { circuit, publicSignals } = plan.call;
  const functions = {
    transfer: "transferVerifier",
    release: "releaseVerifier",
    fund: "fundVerifier",
    "make-available": "makeAvailableVerifier",
    spend: "spendVerifier",
    "spend-public": "spendPublicVerifier",
    "pay-many": "payManyVerifier",
  } as const;
  const { reader } = site.relayer;
  const ledger = { address: site.scope.ledger, abi: ledgerAbi } as const;
  const address = await reader.readContract({ ...ledger, functionName: functions[circuit] });
  const [{ inputs, ...verifyProof }] = transferVerifierAbi;
  const [a, b, c, signals] = inputs;
  const abi = [{ ...verifyProof, inputs: [a, b, c, { ...signals, type: `uint256[${publicSignals.length}]` }] }];
  const proof = toProofCalldata(document.proof);
  const valid = (values: bigint[]) =>
    reader.readContract({ address, abi, functionName: "verifyProof", args: [proof.a, proof.b, proof.c, values] });
  verified[`${name}: as it is`] = (await valid(publicSignals)) as boolean;
  await Promise.all(
    publicSignals.map(async (value, index) => {
      const changed = publicSignals.with(index, (value + 1n) % FIELD_ORDER);
      verified[`${name}: ${index}`] = (await valid(changed)) as boolean;
    }),
  );
}

/** Sends the same words a second time, and under a signature over the words that the call stored. */
async function repeat(name: string, { document, key, recipient }: Proven): Promise<void> {
  again[`${name}: the same`] = await says(documentCalldata(document, recipient));
  const moved = { ...document, old_available: document.new_available } as SignedDocument;
  if (moved.kind === "fund") moved.to_old_available = moved.to_new_available;
  if (moved.kind === "make_available") moved.nonce = (BigInt(moved.nonce) + 1n).toString();
  again[`${name}: over the new commitments`] = await says(
    documentCalldata(await signAgain(site.scope, moved, key), recipient),
  );
}

/** Builds notes of zero units. Their proof is valid, but the ledger accepts none of them. */
async function payNothing({ document, plan, key }: Proven): Promise<string> {
  if (document.kind !== "transfer_many") throw new Error("not a batch");
  const none = commitmentToHex(EMPTY_NOTE);
  const draft = { ...document, payments: document.payments.map((payment) => ({ ...payment, note: none })) };
  const [limit, newSalt] = [signal(plan.input, "limit"), signal(plan.input, "newSalt")];
  const newAvailable = availableCommitment({ limit, salt: newSalt, window: NO_WINDOW });
  const zeros = Array.from({ length: 16 }, () => 0n);
  const { ctx: _, ...input } = plan.input;
  const empty = makePlan<SignedTransferMany>(
    site.scope,
    { ...draft, new_available: commitmentToHex(newAvailable) },
    { ...input, newAvailable, notes: zeros.map(() => EMPTY_NOTE), amounts: zeros, noteSalts: zeros },
  );
  const { digest, typedData } = empty.call;
  const signature = await keySigner(key)({ digest, typedData });
  return says(documentCalldata(finishPlan(empty, await prove("pay-many", empty.input), signature)));
}

beforeAll(async () => {
  ({ site, stop } = await startLocalSite(prove));
  everyone = await everyCall({
    ...site,
    async send(call) {
      const { name } = call;
      if (call.proven) {
        const first = !kindsOf(proven).has(kindOf(call.proven));
        proven[name] = call.proven;
        if (first) await Promise.all([alter(name, call.proven), verify(name, call.proven)]);
      }
      if (name === "transferMany") refused.emptyNotes = await payNothing(call.proven as Proven);
      gas[name] = gasOf(call.data, await site.transact(call));
      if (call.proven) await repeat(name, call.proven);
      if (name === "end the agent") await payAfterTheEnd();
      if (name === "setGuarded") refused.fundByThePaymentKey = await fundAgain(proven.fund as Proven);
    },
  });
}, 300_000);

afterAll(() => stop());

function gasOf(data: Hex, { gasUsed }: TransactionReceipt) {
  const bytes = [...hexToBytes(data)];
  const ofData = bytes.reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 0);
  return { transaction: Number(gasUsed), execution: Number(gasUsed) - ofData };
}

/** Makes the agent's last payment, in both modes of keys, under the version after its end. */
async function payAfterTheEnd(): Promise<void> {
  const { document, key, recipient } = proven["spend with approval"] as Proven;
  if (document.kind !== "spend") throw new Error("not a spend");
  const ended = { ...document, policy_version: (BigInt(document.policy_version) + 1n).toString() };
  const approved = await signAgain(site.scope, ended, key);
  refused.approvedAfterTheEnd = await says(documentCalldata(approved, recipient));
  const byAgent = await signAgain(site.scope, { ...ended, mode: 0 as const }, proven.spend?.key as Hex);
  refused.byTheAgentAfterItsEnd = await says(documentCalldata(byAgent, recipient));
}

/** Signs with the owner's payment key as before the guard, over the current commitments. */
async function fundAgain({ document, key }: Proven): Promise<string> {
  if (document.kind !== "fund") throw new Error("not a fund");
  const commitment = async (account: Hex) =>
    commitmentToHex(
      await site.relayer.reader.readContract({
        address: site.scope.ledger,
        abi: ledgerAbi,
        functionName: "availableOf",
        args: [account, site.usdg],
      }),
    );
  const now = {
    ...document,
    old_available: await commitment(document.account),
    to_old_available: await commitment(document.to),
  };
  return says(documentCalldata(await signAgain(site.scope, now, key)));
}

const only = <T>(values: Record<string, T>, value: T) =>
  expect(Object.entries(values).filter(([, one]) => one !== value)).toEqual([]);

describe("the ledger with its verifiers", () => {
  it("takes every kind of plan, with the proof that the committed circuits make of it", () => {
    expect([...kindsOf(proven)].sort()).toEqual([
      "fund",
      "make_available",
      "release",
      "spend in mode 0",
      "spend in mode 1",
      "spend in mode 2",
      "spend_public",
      "transfer",
      "transfer_many",
    ]);
  });

  it("refuses a proof for any other public signal, also when the right key signs it", () => {
    expect(Object.keys(altered)).toHaveLength(58);
    only(altered, "InvalidProof");
  });

  it("has verifiers that take a proof for its own public signals alone", () => {
    const [own, others] = [/as it is$/, /\d$/].map((kind) =>
      Object.fromEntries(Object.entries(verified).filter(([name]) => kind.test(name))),
    );
    only(own ?? {}, true);
    only(others ?? {}, false);
    expect(Object.keys(own ?? {})).toHaveLength(kindsOf(proven).size);
  });

  it("refuses the same call again, and its proof over the commitments that it stored", () => {
    const of = (kind: RegExp) => Object.fromEntries(Object.entries(again).filter(([name]) => kind.test(name)));
    only(of(/the same$/), "NotAuthorized");
    only(of(/over the new commitments$/), "InvalidProof");
  });

  it("refuses a batch of empty notes, though its proof is valid", () => {
    expect(refused.emptyNotes).toBe("InvalidNote");
  });

  it("refuses keys what a guard leaves to the wallet, and an ended agent every payment by keys", () => {
    expect(refused).toMatchObject({
      fundByThePaymentKey: "NotAuthorized",
      approvedAfterTheEnd: "AgentEnded",
      byTheAgentAfterItsEnd: "NotAuthorized",
    });
  });
});

describe("a whole transaction in the steady state", () => {
  const figures = (of: "transaction" | "execution") =>
    gasFigures(Object.fromEntries(Object.entries(gas).map(([name, one]) => [name, one[of]])));

  it("costs no more gas than its limit", () => {
    const measured = figures("transaction");
    for (const [name, limit] of Object.entries(GAS_LIMITS)) {
      if (limit !== null) expect(measured[name as keyof typeof measured], name).toBeLessThanOrEqual(limit);
    }
  });

  // The random order of hashes in a salted tree changes a few units of gas.
  it("costs the gas of the committed snapshot, its data aside", async () => {
    const { spendAmong16: _, ...fixed } = figures("execution");
    const text = `${JSON.stringify(fixed, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot("../../contracts/snapshots/ledger-transactions.json");
  });
});

const isMoney = (event: LedgerEvent): event is MoneyEvent =>
  (MONEY_EVENTS as readonly string[]).includes(event.eventName);
const bySalt = (notes: readonly NoteOpening[]) =>
  notes.map(({ amount, salt }) => ({ amount, salt })).sort((a, b) => (a.salt < b.salt ? -1 : 1));

describe("invariant 26: the events of the ledger", () => {
  it("open every available balance and every note to the viewing keys, and to nothing else than what the ledger holds", async () => {
    const { reader } = site.relayer;
    const { scope, usdg } = site;
    const fromBlock = toHex(site.deployedBlock);
    const logs = await reader.request({ method: "eth_getLogs", params: [{ address: scope.ledger, fromBlock }] });
    const events = logs.flatMap((log) => {
      const event = decodeLedgerLog(log as LedgerLog);
      return event && isMoney(event) ? [event] : [];
    });
    const { alice, bob, agent, payees } = everyone;
    const call = { address: scope.ledger, abi: ledgerAbi } as const;
    for (const who of [alice, bob, agent, ...payees]) {
      const { assets } = await foldHistory(scope, who.address, who.viewing.secret, events);
      const held = assets.get(lowerCase(usdg));
      const [available, notes] = [held?.available ?? EMPTY_AVAILABLE_OPENING, held ? spendableNotes(held) : []];
      expect(available).toMatchObject({ ...who.available });
      expect(bySalt(notes)).toEqual(bySalt(who.notes));
      const args = [who.address, usdg] as const;
      const commitment = await reader.readContract({ ...call, functionName: "availableOf", args });
      expect(availableCommitment(available)).toBe(commitment);
      for (const note of notes) {
        const status = { ...call, functionName: "noteStatus", args: [...args, noteCommitment(note)] } as const;
        expect(await reader.readContract(status)).toBe(1);
      }
    }
  });

  it("show what the agent counted: its own and approved payments, and none of the wallet's", () => {
    const dollars = (amount: bigint) => amount * 1_000_000n;
    expect(everyone.agent.available).toMatchObject({
      limit: dollars(300n - 10n - 20n - 7n - 60n - 120n - 80n),
      window: { spent: dollars(10n + 20n + 7n + 60n), day: site.now / 86_400n },
    });
  });
});
