import { afterAll, beforeAll, expect, test } from "vitest";
import { send as sendFromPage } from "@/components/vault/methods/send";
import { env } from "@/lib/base/env";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf, type Meddle, MemoryPins } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { PinMismatch } from "../api/pin-mismatch";
import type { Context } from "../context/context";
import type { PendingPayment } from "./attempts/pending-payment";
import { findRecipient } from "./recipient";
import { send } from "./send";
import { sendManyClientSigned } from "./send-many";
import { decryptedPage } from "./transfers/transfers";

/* What a service achieves that names another account for a handle once the payer has decided whom to pay. */

const CHAIN = 46630;
let services: WorkingServices;
let owner: Owner;
let payee: Owner;
let attacker: Owner;
let agent: Agent;

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, payee, attacker] = await Promise.all([
    Owner.funded(CHAIN, 100_000_000n),
    Owner.create(CHAIN),
    Owner.create(CHAIN),
  ]);
  await settled(await payee.enroll(), await attacker.enroll());
  const registered = await Agent.create(owner);
  agent = registered.agent;
  await settled(registered.operationId);
  await send(await clientOf(owner.walletKey, rpcUrl()), { to: bot(), amount: "20", clientSigned: true });
});
afterAll(() => services?.stop());

const rpcUrl = () => env().chains.test.rpcUrl;
const bot = () => `@${agent.account.handle}`;
const own = () => `@${owner.account.handle}`;
const paid = () => `@${payee.account.handle}`;

interface Lie {
  context: Context;
  pins: MemoryPins;
  /** The requests that would move money. */
  posts: string[];
  /** The service names the attacker for every handle from now on. */
  begin(): void;
  end(): void;
}

/** Returns a client that has paid no one yet, of a service that begins to lie when it is called for. */
async function lyingService(more: (request: Request) => Response | undefined = () => undefined): Promise<Lie> {
  let lies = false;
  const posts: string[] = [];
  const meddle: Meddle = async (request, honest) => {
    const { pathname } = new URL(request.url);
    if (request.method === "POST" && /^\/v1\/transfers(\/batch)?$/.test(pathname)) posts.push(pathname);
    if (!lies) return honest();
    if (pathname === "/api/accounts/resolve") return Response.json({ address: attacker.address });
    return more(request) ?? honest();
  };
  const pins = new MemoryPins();
  const begin = () => {
    lies = true;
  };
  const end = () => {
    lies = false;
  };
  return { context: await clientOf(owner.walletKey, rpcUrl(), { meddle, pins }), pins, posts, begin, end };
}

/** Pays as the dashboard does, whose worker stores each record before the document leaves. */
const page = (context: Context, input: Parameters<typeof sendFromPage>[1], records: PendingPayment[] = []) =>
  sendFromPage(context, input, {
    progress: () => {},
    signal: new AbortController().signal,
    onPending: async (pending) => void records.push(pending),
    onBatch: () => {},
    ask: async () => "0x",
  });

/** Expects that a payment is refused as redirected, that nothing left, and that the attacker is not remembered. */
async function expectRefused({ pins, posts }: Lie, payment: () => Promise<unknown>, said: string): Promise<void> {
  const before = [(await owner.decryptAvailable()).limit, (await agent.decryptAvailable()).limit];
  const refused = await payment().catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(PinMismatch);
  expect((refused as Error).message).toContain(`${said} now has another address`);
  expect(posts).toEqual([]);
  expect([...pins.kept.values()]).not.toContain(attacker.address.toLowerCase());
  expect([(await owner.decryptAvailable()).limit, (await agent.decryptAvailable()).limit]).toEqual(before);
}

test("what a person reviewed is paid, or nothing: a handle that stands for another account by then is refused", async () => {
  const lie = await lyingService();
  const { address } = await findRecipient(lie.context, paid());
  const input = { to: paid(), amount: "1", meant: address };
  lie.begin();
  await expectRefused(lie, () => page(lie.context, input), paid());
  lie.end();
  const { pending } = await page(lie.context, input);
  expect(pending.to).toBe(payee.address.toLowerCase());
});

test("a reviewed payment whose response is lost is found under its key, and not made again", async () => {
  const lie = await lyingService();
  const { address } = await findRecipient(lie.context, paid());
  const input = { to: paid(), amount: "2", meant: address, idempotencyKey: crypto.randomUUID() };
  const before = (await owner.decryptAvailable()).limit;
  const records: PendingPayment[] = [];
  await page(lie.context, input, records);
  const again = await page(lie.context, { ...input, pending: records.at(-1) });
  expect(again.pending.note).toBe(records[0]?.note);
  // From another process that kept no record.
  const { context } = await lyingService();
  const { idempotencyKey } = input;
  await send(context, { to: paid(), amount: "2", meant: address, clientSigned: true, idempotencyKey });
  expect((await owner.decryptAvailable()).limit).toBe(before - 2_000_000n);
  lie.begin();
  const moved = page(lie.context, { ...input, pending: records.at(-1) });
  await expect(moved).rejects.toBeInstanceOf(PinMismatch);
});

test("money taken back from an agent goes to the wallet's own account, whatever the service says of its handle", async () => {
  const lie = await lyingService();
  lie.begin();
  const input = { from: bot(), to: own(), amount: "1" };
  await expectRefused(lie, () => page(lie.context, { ...input, own: true }), own());
  await expectRefused(lie, () => send(lie.context, { ...input, clientSigned: true }), own());
  lie.end();
  const { pending } = await page(lie.context, { ...input, own: true });
  expect(pending).toMatchObject({ kind: "fund", to: owner.address.toLowerCase() });
});

test("money taken back stays the owner's although the service says that the account has another handle", async () => {
  const lie = await lyingService((request) =>
    new URL(request.url).pathname === "/v1/accounts/me" ? Response.json({ handle: "@someone" }) : undefined,
  );
  await lie.context.vault();
  lie.begin();
  await expectRefused(lie, () => page(lie.context, { from: bot(), to: own(), amount: "1", own: true }), own());
});

test("money for an agent goes to the account's own agent according to the chain, or nowhere", async () => {
  const lie = await lyingService();
  lie.begin();
  const input = { to: bot(), amount: "1" };
  await expectRefused(lie, () => page(lie.context, { ...input, own: true }), bot());
  lie.end();
  const { pending } = await page(lie.context, { ...input, own: true });
  expect(pending).toMatchObject({ kind: "fund", to: agent.address.toLowerCase() });
});

test.each([
  ["leaves the agent out of its list", "not_found", () => []],
  [
    "lists another's account as the agent",
    "unavailable",
    () => [{ account_id: agent.account.id, handle: bot(), public_key: attacker.address }],
  ],
])("money for an agent goes nowhere when the service %s", async (_, code, agents) => {
  const lie = await lyingService((request) =>
    new URL(request.url).pathname === "/v1/accounts/me/agents"
      ? Response.json({ agents: agents(), has_more: false })
      : undefined,
  );
  lie.begin();
  const input = { to: bot(), amount: "1", own: true };
  await expect(page(lie.context, input)).rejects.toMatchObject({ code });
  expect(lie.posts).toEqual([]);
  expect([...lie.pins.kept.values()]).not.toContain(attacker.address.toLowerCase());
});

test("no payment of a batch is made when one of its handles stands for another account than approved", async () => {
  const lie = await lyingService();
  const meant = payee.address;
  const payments = ["1", "2"].map((amount) => ({ to: paid(), amount, meant }));
  lie.begin();
  await expectRefused(lie, () => sendManyClientSigned(lie.context, { payments }), paid());
  lie.end();
  const { pending } = await sendManyClientSigned(lie.context, { payments });
  expect(pending.payments?.map(({ to }) => to)).toEqual([meant.toLowerCase(), meant.toLowerCase()]);
});

test("a list that gives a handle that this machine knows, or one's own, to someone else is refused", async () => {
  let name = paid();
  const meddle: Meddle = async (request, honest) => {
    const response = await honest();
    if (request.method !== "GET" || new URL(request.url).pathname !== "/v1/transfers") return response;
    const { transfers, ...list } = (await response.json()) as { transfers: { direction: string; to: string }[] };
    const [newest, ...others] = transfers;
    return Response.json({ ...list, transfers: [{ ...newest, to: name }, ...others] });
  };
  const pins = new MemoryPins();
  const context = await clientOf(owner.walletKey, rpcUrl(), { pins });
  await send(context, { to: paid(), amount: "1", clientSigned: true });
  await send(context, { to: attacker.address, amount: "1", clientSigned: true });
  const read = async (of: Context) => (await decryptedPage(of, { limit: 2 })).transfers.map(({ to }) => to);
  expect(await read(context)).toEqual([expect.stringMatching(new RegExp(attacker.address, "i")), paid()]);
  const lying = await clientOf(owner.walletKey, rpcUrl(), { pins, meddle });
  for (name of [paid(), own()]) await expect(read(lying)).rejects.toThrow(`${name} now has another address`);
  // A handle that this machine does not know is what the service says, and anything else is no name.
  const shown = async () => (await decryptedPage(lying, { limit: 2 })).transfers;
  name = "@somebody";
  expect(await shown()).toMatchObject([
    { to: name, to_address: attacker.address.toLowerCase(), unverified_names: ["to"] },
    { to: paid(), unverified_names: [] },
  ]);
  name = "100 USDG";
  expect((await shown())[0]).toMatchObject({ to: attacker.address.toLowerCase(), unverified_names: [] });
});
