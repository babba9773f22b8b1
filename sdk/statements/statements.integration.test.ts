import { afterAll, beforeAll, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import type { Statement } from "@/lib/payments/statements/statement";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf, type Meddle } from "@/test/services/in-process-service";
import { type LyingRpc, startLyingRpc } from "@/test/services/lying-rpc";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import type { Transfer } from "../api/resources/transfers";
import { makeAvailable } from "../payments/funding/make-available";
import { send } from "../payments/send";
import { createStatement } from "./create-statement";

/* Statements of real payments, with services and nodes that hide, invent or rename entries. */

const CHAIN = 46630;
let services: WorkingServices;
let node: LyingRpc;
let owner: Owner;
let payee: Owner;
let agent: Agent;
/** A time between the first payments and the last. */
let middle: Date;

const rpcUrl = () => env().chains.test.rpcUrl;
const client = (of: Owner, meddle?: Meddle, rpc = rpcUrl()) => clientOf(of.walletKey, rpc, { meddle });
const ALL = { from: "2020-01-01", to: "2100-01-01", timeZone: "UTC" } as const;

beforeAll(async () => {
  services = await startWorkingServices();
  node = await startLyingRpc(rpcUrl());
  [owner, payee] = [await Owner.funded(CHAIN, 100_000_000n), await Owner.create(CHAIN)];
  await settled(await payee.enroll());
  const registered = await Agent.create(owner);
  agent = registered.agent;
  await settled(registered.operationId);
  const own = await client(owner);
  await send(own, { to: `@${agent.account.handle}`, amount: "20", clientSigned: true });
  await send(own, { to: `@${payee.account.handle}`, amount: "7.5", memo: "=lunch", clientSigned: true });
  middle = new Date();
  await send(own, {
    from: `@${agent.account.handle}`,
    to: `@${payee.account.handle}`,
    amount: "3",
    clientSigned: true,
  });
  await send(own, { to: payee.address, amount: "2", public: true, clientSigned: true });
  await send(own, { to: `@${payee.account.handle}`, amount: "1.25", clientSigned: true });
  await send(await madeAvailable(payee), { to: owner.address, amount: "4", clientSigned: true });
});
afterAll(async () => {
  await node?.stop();
  await services?.stop();
});

async function madeAvailable(of: Owner) {
  const context = await client(of);
  await makeAvailable(context, {});
  return context;
}

const usdg = ({ assets }: Statement) => assets.find(({ asset }) => asset === "USDG");
const amounts = ({ rows }: Statement) => rows.map((row) => `${row.type} ${row.paid_in ?? `-${row.paid_out}`}`);

/** Simulates a service that changes the list of transfers. */
const listing =
  (change: (transfers: Transfer[]) => Transfer[]): Meddle =>
  async (request, honest) => {
    const response = await honest();
    if (request.method !== "GET" || new URL(request.url).pathname !== "/v1/transfers") return response;
    const body = (await response.json()) as { transfers: Transfer[] };
    return Response.json({ ...body, transfers: change(body.transfers) });
  };

test("the account's statement begins at nothing, has every movement, and ends at its balance", async () => {
  const statement = await createStatement(await client(owner), ALL);
  expect(statement).toMatchObject({ adds_up: true, problems: [] });
  expect(amounts(statement)).toEqual([
    "deposit 100",
    "moved_out -20",
    "sent -7.5",
    "paid_out -2",
    "sent -1.25",
    "received 4",
  ]);
  expect(usdg(statement)).toMatchObject({ opening: "0", paid_in: "104", paid_out: "30.75", closing: "73.25" });
  const lunch = statement.rows[2];
  expect(lunch).toMatchObject({ counterparty: `@${payee.account.handle}`, memo: "=lunch", balance: "72.5" });
  expect(lunch?.transfer_id).toMatch(/^tr_/);
});

test("with its agents what moves between them cancels out; an agent's own statement is its own", async () => {
  const context = await client(owner);
  const all = await createStatement(context, { ...ALL, withAgents: true });
  expect(all.adds_up).toBe(true);
  expect(usdg(all)).toMatchObject({ opening: "0", paid_in: "104", paid_out: "13.75", closing: "90.25" });
  expect(amounts(all)).toContain("moved_in 20");
  const own = await createStatement(context, { ...ALL, agent: `@${agent.account.handle}` });
  expect(amounts(own)).toEqual(["moved_in 20", "sent -3"]);
  expect(usdg(own)).toMatchObject({ opening: "0", closing: "17" });
  expect(own.rows[0]?.counterparty).toBe(`@${owner.account.handle}`);
});

test("two periods in a row leave no gap: the closing balance of one opens the next", async () => {
  const context = await client(owner);
  const first = await createStatement(context, { ...ALL, to: middle });
  const second = await createStatement(context, { ...ALL, from: middle });
  expect([first.adds_up, second.adds_up]).toEqual([true, true]);
  expect(usdg(first)?.closing).toBe(usdg(second)?.opening);
  const whole = await createStatement(context, ALL);
  expect([...first.rows, ...second.rows].map(({ tx_hash }) => tx_hash)).toEqual(
    whole.rows.map(({ tx_hash }) => tx_hash),
  );
});

test("a service that lists nothing hides no movement and no amount: only names are missing", async () => {
  const honest = await createStatement(await client(owner), ALL);
  const statement = await createStatement(
    await client(
      owner,
      listing(() => []),
    ),
    ALL,
  );
  expect(amounts(statement)).toEqual(amounts(honest));
  expect(statement).toMatchObject({ adds_up: true, assets: honest.assets });
  expect(statement.rows.every(({ counterparty, memo }) => counterparty === null && memo === null)).toBe(true);
});

test("a payment that the service invents is left out, and the statement says so", async () => {
  const invent = listing((transfers) => [
    ...transfers,
    ...transfers.slice(0, 1).map((entry) => ({
      ...entry,
      transfer_id: "tr_01KADJ2C9B3T6Y0V8ZQ4N5M7WX",
      encrypted: entry.encrypted && { ...entry.encrypted, note: `0x${"07".repeat(32)}` as const },
    })),
  ]);
  const statement = await createStatement(await client(owner, invent), ALL);
  expect(statement).toMatchObject({ adds_up: false, problems: [{ code: "not_on_chain" }] });
  expect(usdg(statement)).toMatchObject({ closing: "73.25", adds_up: true });
});

test("names that the service gives to another payment than the chain has are left out", async () => {
  const swap = listing((transfers) =>
    transfers.map(({ encrypted, ...entry }) => ({
      ...entry,
      encrypted: encrypted && { ...encrypted, recipient: owner.address },
    })),
  );
  const statement = await createStatement(await client(owner, swap), ALL);
  expect(statement.problems.map(({ code }) => code)).toContain("other_parties");
  expect(statement.rows.find(({ type }) => type === "sent")?.counterparty).toBeNull();
});

test("a handle that this machine knows stands for no other address", async () => {
  const rename = listing((transfers) => transfers.map((entry) => ({ ...entry, to: "@known" })));
  const context = await client(owner, rename);
  await context.pins.checkHandle(await context.info(), "@known", `0x${"77".repeat(20)}`);
  const statement = await createStatement(context, ALL);
  expect(statement.problems.map(({ code }) => code)).toContain("other_parties");
  expect(statement.rows.some(({ counterparty }) => counterparty === "@known")).toBe(false);
});

test("the account's own name stands for no other address, whatever the service calls a recipient", async () => {
  const own = `@${owner.account.handle}`;
  const rename = listing((transfers) => transfers.map((entry) => ({ ...entry, to: own })));
  const statement = await createStatement(await client(owner, rename), ALL);
  expect(statement.problems.map(({ code }) => code)).toContain("other_parties");
  const sent = statement.rows.filter(({ counterparty_address }) => counterparty_address !== owner.address);
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter(({ counterparty }) => counterparty === own)).toEqual([]);
});

test("a node that leaves out a payment is found out, by what the ledger stores now", async () => {
  const whole = await createStatement(await client(owner, undefined, node.url), ALL);
  const hidden = whole.rows.find(({ type }) => type === "paid_out")?.tx_hash;
  node.lie(({ method }, truth) =>
    method === "eth_getLogs"
      ? (truth as { transactionHash: string }[]).filter(({ transactionHash }) => transactionHash !== hidden)
      : undefined,
  );
  const statement = await createStatement(await client(owner, undefined, node.url), ALL);
  node.lie();
  expect(statement.adds_up).toBe(false);
  expect(statement.problems.map(({ code }) => code)).toEqual(
    expect.arrayContaining(["chain_incomplete", "does_not_add_up"]),
  );
  expect(statement.rows.every(({ balance }) => balance === null)).toBe(true);
});

test("bad periods are refused with the field at fault", async () => {
  const context = await client(owner);
  for (const [input, param] of [
    [{ from: "2026-02-30", to: "2026-03-01" }, "from"],
    [{ from: "2026-03-02", to: "2026-03-01" }, "to"],
    [{ ...ALL, timeZone: "Mars/Olympus" }, "timeZone"],
    [{ from: "2026-03-01T00:00:00", to: "2026-03-02" }, "from"],
  ] as const) {
    await expect(createStatement(context, input)).rejects.toMatchObject({ code: "invalid_request", param });
  }
});
