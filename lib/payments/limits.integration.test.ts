import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { operations } from "@/db/schema/chain";
import { readLimits } from "@/lib/agents/owners-policy";
import { leaveLimits, setLimits } from "@/lib/agents/set-limits";
import type { KeyContext } from "@/lib/base/context/context";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { deriveHeldKey, derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { NO_WINDOW } from "@/lib/ledger/crypto/window";
import { decryptHeld } from "@/lib/ledger/encrypted/held";
import { DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import { Agent, GENEROUS } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { payMany } from "@/test/accounts/pay-many";
import { prepareSpend } from "@/test/accounts/prepare-spend";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { startWorkingServices } from "@/test/services/working-services";
import { listPending } from "./approvals/list-pending";
import { reject } from "./approvals/reject";
import { approve } from "./approve";
import { createTransfer } from "./create-transfer";
import { getTransferView } from "./get-transfer-view";
import { paidTransfer } from "./paid-transfer";
import { tryTransfer } from "./try-transfer";

const CHAIN = 46630;
let services: Awaited<ReturnType<typeof startWorkingServices>>;
let owner: Owner;
let bob: Owner;
let carol: Owner;
let agent: Agent;
let key: KeyContext;

/** Limits of the account's own keys: 10 USDG per payment, 30 a day, above 5 only by the wallet, only to bob. */
const limits = (): SpendPolicy => ({
  ...GENEROUS,
  perTransactionLimit: 10_000_000n,
  dailyLimit: 30_000_000n,
  hitlThreshold: 5_000_000n,
  allowedRecipients: [`@${bob.account.handle}`],
});

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, bob, carol] = await Promise.all([
    Owner.funded(CHAIN, 100_000_000n),
    Owner.create(CHAIN),
    Owner.create(CHAIN),
  ]);
  await settled(await bob.enroll(), await carol.enroll());
  const created = await Agent.create(owner);
  agent = created.agent;
  await settled(created.operationId);
  key = await owner.key();
  const signed = await signPolicyAs(owner, owner.address, { policy: limits(), paused: false, version: 1n });
  await setLimits(owner.session, limits(), signed);
});

afterAll(() => services?.stop());

const input = (to: Owner | Agent, amount: string) =>
  ({ to: `@${to.account.handle}`, amount, asset: "USDG", confidential: true }) as const;
const ask = (to: Owner | Agent, amount: string) => createTransfer(key, input(to, amount));
const pay = async (to: Owner | Agent, amount: string) => paidTransfer(await ask(to, amount)).row;
const paymentKeyOf = () => derivePaymentKey(owner.authority, owner.scope).privateKey;
const byWallet = () => ({ mode: SPEND_MODE.wallet, key: owner.walletKey });

async function held(amount: string) {
  const created = await ask(bob, amount);
  if (created.outcome !== "held") throw new Error("this payment was not held");
  return created.held;
}

test("an account's keys pay under its own policy from the moment it was accepted, and the ledger counts", async () => {
  const row = await pay(bob, "3");
  expect(row).toMatchObject({ kind: "transfer", mode: 0 });
  const [operation] = await db().select().from(operations).where(eq(operations.id, row.operationId));
  expect(operation).toMatchObject({ kind: "spend", policyVersion: 1n });
  const { operation: setPolicy } = await readLimits(owner.session);
  expect(await settled(setPolicy?.id ?? "", row.operationId)).toEqual(["confirmed", "confirmed"]);
  expect((await owner.decryptAvailable()).window.spent).toBe(3_000_000n);
});

test("beyond it they are refused, rule by rule, also in a dry run, and make no batch", async () => {
  const refusals = [
    [carol, "1", "recipient_not_allowed"],
    [bob, "10.000001", "per_transaction_limit"],
  ] as const;
  for (const [to, amount, reason] of refusals) {
    await expect(ask(to, amount)).rejects.toMatchObject({ code: "policy_violation", reason });
    const { decision } = await tryTransfer(key, input(to, amount));
    expect(decision).toMatchObject({ outcome: "denied", reason });
  }
  const two = { payments: [input(bob, "1"), input(bob, "2")] };
  await expect(payMany(key, two)).rejects.toMatchObject({ code: "key_forbidden" });
  expect((await tryTransfer(key, input(bob, "6"))).decision.outcome).toBe("held");
});

test("over its threshold they ask the wallet: no key approves, the wallet does, and a key may drop it", async () => {
  const [first, second] = [await held("7"), await held("8")];
  expect(first.agentHandle).toBe(owner.account.handle);
  const { list } = await listPending(key, { limit: 10, offset: 0 });
  expect(list.map(({ row }) => row.id)).toEqual([first.id, second.id]);
  const [row] = await db().select().from(heldPayments).where(eq(heldPayments.id, first.id));
  if (!row) throw new Error("nothing was held");
  const ref = { id: first.id, agent: owner.address, asset: row.asset };
  const { secret } = deriveHeldKey(owner.secret, owner.scope);
  const text = await decryptHeld(secret, owner.secret, owner.scope, ref, fromHex(row.encrypted));
  expect(text).toMatchObject({ amount: 7_000_000n, to: bob.address });
  await expect(approve(key, first.id, {})).rejects.toMatchObject({ code: "key_forbidden" });
  const byPaymentKey = prepareSpend(owner, bob, 7_000_000n, { mode: SPEND_MODE.agent, key: paymentKeyOf() });
  await expect(byPaymentKey).rejects.toMatchObject({ reason: "approval_threshold" });
  const document = await prepareSpend(owner, bob, 7_000_000n, byWallet());
  const { decided } = await approve(owner.session, first.id, { client_signed: document });
  if (decided.status !== "approved") throw new Error("it was approved");
  await reject(key, second.id);
  await expect(approve(owner.session, second.id, { client_signed: document })).rejects.toMatchObject({
    code: "transaction_not_found",
  });
  await settledTransfer(decided.transfer.id);
  // Payments signed by the wallet are not counted.
  expect(await owner.decryptAvailable()).toMatchObject({ limit: 90_000_000n, window: { spent: 3_000_000n } });
});

test("its wallet pays whom and what its keys may not; no key moves money to its agents", async () => {
  await expect(ask(agent, "1")).rejects.toMatchObject({
    code: "key_forbidden",
    message: expect.stringContaining("guarded"),
  });
  const document = await prepareSpend(owner, carol, 40_000_000n, byWallet());
  const { amount: _, ...body } = input(carol, "0");
  const { row } = paidTransfer(await createTransfer(owner.session, { ...body, client_signed: document }));
  expect(await settled(row.operationId)).toEqual(["confirmed"]);
  expect((await owner.decryptAvailable()).limit).toBe(50_000_000n);
});

test("an account that leaves its policy makes its money available once more, and pays as any other", async () => {
  const next = { policy: DENY_ALL, paused: false, version: 2n, limited: false };
  const left = await leaveLimits(owner.session, await signPolicyAs(owner, owner.address, next));
  expect(await settled(left.id)).toEqual(["confirmed"]);
  await expect(ask(bob, "20")).rejects.toMatchObject({
    code: "sync_required",
    message: expect.stringMatching(/left/),
  });
  expect(await settled(await owner.makeAvailable(undefined, NO_WINDOW))).toEqual(["confirmed"]);
  const row = await pay(bob, "20");
  expect(row).toMatchObject({ kind: "transfer", mode: null });
  expect(await settled(row.operationId)).toEqual(["confirmed"]);
});

async function settledTransfer(id: string): Promise<void> {
  const { row } = await getTransferView(owner.session, id);
  expect(await settled(row.operationId)).toEqual(["confirmed"]);
}
