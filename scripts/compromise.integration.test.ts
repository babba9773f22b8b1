import { inArray } from "drizzle-orm";
import { type Address, createTestClient, erc20Abi, http } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { assetBySymbol } from "@/lib/assets";
import { publicClient } from "@/lib/chain/clients";
import { env } from "@/lib/env";
import { deriveSpender } from "@/lib/ledger/keys";
import { createTransfer } from "@/lib/transfers/create-transfer";
import { abandon, budgetLoss } from "@/sdk/abandon";
import { allocate } from "@/sdk/allocate";
import type { Context } from "@/sdk/context";
import { recover } from "@/sdk/recover";
import { Agent } from "./testing/agent";
import type { BudgetHolder } from "./testing/budget-holder";
import { type ClientSettings, clientOf, type Meddle } from "./testing/in-process-service";
import { Owner, settled } from "./testing/owner";
import { poisonCall } from "./testing/poison";
import { sendAlone } from "./testing/send-alone";
import { startWorkingServices, type WorkingServices } from "./testing/working-services";

const CHAIN = 46630;
let services: WorkingServices;
let stranger: Owner;

beforeAll(async () => {
  services = await startWorkingServices();
  stranger = await Owner.create(CHAIN);
  await settled(await stranger.enroll());
}, 120_000);
afterAll(() => services?.stop(), 30_000);

const rpcUrl = () => env().chains.test.rpcUrl;
const usdg = () => assetBySymbol(CHAIN).address;

/** An account with a budget, one received note and credit, in units; its wallet can pay gas. */
async function somebody(budget: bigint, note = 0n, credit = 0n): Promise<Owner> {
  const owner = await Owner.funded(CHAIN, budget + note);
  if (note > 0n) await settled(await owner.allocate(budget));
  if (credit > 0n) {
    await settled(await owner.mint((credit / 1_000_000n + 1n).toString()));
    await settled(await owner.deposit(credit));
  }
  await giveGas(owner.address);
  return owner;
}

async function giveGas(address: Address): Promise<void> {
  const client = createTestClient({ mode: "anvil", transport: http(rpcUrl()) });
  await client.setBalance({ address, value: 10n ** 18n });
}

const client = (owner: Owner, settings: ClientSettings = {}) => clientOf(owner.walletKey, rpcUrl(), settings);

const recovering = (owner: Owner, context: Context, more: object = {}) => {
  const input = { rpc: rpcUrl(), ledger: owner.scope.ledger, ...more };
  return recover(
    () => context.wallet,
    () => context.prover(),
    input,
  );
};

const spenderOf = (owner: Owner) => deriveSpender(owner.secret, owner.scope).privateKey;

/** The owner moves USDG from the own budget to an agent's. */
async function agentGets(owner: Owner, agent: Agent, amount: string): Promise<void> {
  const to = `@${agent.account.handle}`;
  await createTransfer(await owner.key(), { asset: "USDG", confidential: true, to, amount });
  await settled(...(await operationsOf(owner, agent)));
}

async function operationsOf(...holders: BudgetHolder[]): Promise<string[]> {
  const mine = inArray(
    operations.account,
    holders.map(({ address }) => address),
  );
  const rows = await db().select({ id: operations.id }).from(operations).where(mine);
  return rows.map(({ id }) => id);
}

const paidTo = (address: Address) =>
  publicClient(CHAIN).readContract({ address: usdg(), abi: erc20Abi, functionName: "balanceOf", args: [address] });

test("a poisoned budget costs that budget alone: recovery withdraws all else, and says exactly what is lost", async () => {
  const owner = await somebody(10_000_000n, 50_000_000n, 20_000_000n);
  const context = await client(owner);
  await sendAlone(CHAIN, await poisonCall(owner, stranger, usdg(), spenderOf(owner)));
  const lost = { account: context.wallet.address, asset: "USDG", lost_at_most: "9.999999", notes: "50", credit: "20" };
  expect(await recovering(owner, context)).toEqual({
    balances: [{ asset: "USDG", amount: "70" }],
    lost: [lost],
    unreadable: ["USDG"],
  });
  const to = privateKeyToAddress(generatePrivateKey());
  const done = await recovering(owner, context, { to, abandon: true });
  expect(done.steps?.map(({ step }) => step)).toEqual(["abandon", "allocate", "release"]);
  expect(done.lost).toEqual([lost]);
  expect(await paidTo(to)).toBe(70_000_000n);
}, 120_000);

test("recovery goes on past a poisoned agent: all other budgets are paid out first, and what waits behind it stays until it is given up", async () => {
  const owner = await somebody(10_000_000n);
  const { agent, operationId } = await Agent.create(owner);
  await settled(operationId);
  const context = await client(owner);
  await agentGets(owner, agent, "4");
  await sendAlone(CHAIN, await poisonCall(agent, stranger, usdg(), agent.ownKey));
  const to = privateKeyToAddress(generatePrivateKey());
  const first = await recovering(owner, context, { to });
  expect(first.steps?.map(({ account, step }) => [account.toLowerCase(), step])).toEqual([[owner.address, "release"]]);
  expect(first.lost).toMatchObject([{ lost_at_most: "3.999999", notes: "0", credit: "0" }]);
  expect(await paidTo(to)).toBe(6_000_000n);
}, 120_000);

test("a lost budget is given up through the service, and its notes and credit can be allocated again; one that opens is not", async () => {
  const owner = await somebody(10_000_000n, 50_000_000n, 20_000_000n);
  const context = await client(owner);
  expect(await budgetLoss(context)).toBeNull();
  await expect(abandon(context)).rejects.toMatchObject({ code: "invalid_request" });
  await sendAlone(CHAIN, await poisonCall(owner, stranger, usdg(), spenderOf(owner)));
  const loss = { account: owner.address, asset: "USDG", lost_at_most: "9.999999", notes: "50", credit: "20" };
  expect(await budgetLoss(context)).toEqual(loss);
  await expect.poll(() => allocate(context).catch(({ code }) => code)).toBe("reseal_required");
  expect(await abandon(context)).toEqual({ ...loss, tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  await expect.poll(() => allocate(context).catch(() => null)).toMatchObject({ notes: 1 });
  expect((await owner.openBudget()).limit).toBe(70_000_000n);
}, 120_000);

test("a service that does not carry the end of a lost budget, or lies about it, does not keep the owner from it", async () => {
  const owner = await somebody(3_000_000n);
  const lies: Meddle[] = [
    async () => Response.json({ error: { code: "unavailable", message: "Later." } }, { status: 503 }),
    async () =>
      Response.json({ operation_id: "op_x", kind: "abandon", status: "confirmed", tx_hash: `0x${"00".repeat(32)}` }),
  ];
  for (const lie of lies) {
    await allocate(await client(owner)).catch(() => {});
    await sendAlone(CHAIN, await poisonCall(owner, stranger, usdg(), spenderOf(owner)));
    const meddle: Meddle = (request, honest) =>
      /budgets.abandon|operations/.test(request.url) ? lie(request, honest) : honest();
    const context = await client(owner, { meddle, relayPatience: 0 });
    expect(await abandon(context)).toMatchObject({ lost_at_most: expect.any(String) });
    expect(await budgetLoss(context)).toBeNull();
    await settled(await owner.mint("2"));
    await settled(await owner.deposit(2_000_000n));
  }
}, 120_000);

test("recovery leaves dust to the end and to whoever asks for it, whatever a stranger has sprinkled", async () => {
  const owner = await somebody(1_000_000n, 2_000_000n);
  const context = await client(owner);
  const payer = await somebody(3_000_000n);
  const key = await payer.key();
  for (const amount of ["0.000001", "0.000002"]) {
    await createTransfer(key, { asset: "USDG", confidential: true, to: owner.address, amount });
  }
  await settled(...(await operationsOf(payer)));
  // Nine notes are more than one allocation takes.
  for (let at = 0; at < 8; at++) {
    await createTransfer(key, { asset: "USDG", confidential: true, to: owner.address, amount: "0.02" });
  }
  await settled(...(await operationsOf(payer)));
  const to = privateKeyToAddress(generatePrivateKey());
  const first = await recovering(owner, context, { to });
  expect(first.steps?.map(({ step }) => step)).toEqual(["release", "allocate", "allocate", "release"]);
  expect(first.dust).toBeUndefined();
  expect(await paidTo(to)).toBe(3_160_003n);
  await createTransfer(key, { asset: "USDG", confidential: true, to: owner.address, amount: "0.000004" });
  await settled(...(await operationsOf(payer)));
  const second = await recovering(owner, context, { to });
  expect(second.steps).toEqual([]);
  expect(second.dust).toEqual([{ account: context.wallet.address, asset: "USDG", notes: 1, amount: "0.000004" }]);
  expect((await recovering(owner, context, { to, dust: true })).steps).toHaveLength(2);
  expect(await paidTo(to)).toBe(3_160_007n);
}, 120_000);
