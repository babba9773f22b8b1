import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { env } from "@/lib/base/env";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import type { AuthorityDocument } from "@/lib/ledger/authority/authority-documents";
import { authorityRequest } from "@/lib/ledger/authority/authority-request";
import { derivePaymentKey } from "@/lib/ledger/crypto/keys";
import type { SignedPayment } from "@/lib/ledger/prepare/documents";
import { keyBehind } from "@/lib/ledger/prepare/signature";
import { awayFromMidnight } from "@/test/accounts/away-from-midnight";
import { Owner, settled } from "@/test/accounts/owner";
import { clientOf, type Meddle } from "@/test/services/in-process-service";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";
import { ownParty, partyOf } from "../account/party";
import type { Context } from "../context/context";
import { clearLimits, getLimits, policyOfAgent, setLimits } from "../payments/funding/limits";
import { send } from "../payments/send";
import { withdraw } from "../payments/withdraw";
import { replaceAgentKey } from "../recovery/account-secret/replace-agent-key";
import { rotateAccountSecret } from "../recovery/account-secret/rotate-account-secret";
import { pauseAgent } from "./agents";
import { createAgent } from "./create-agent";
import { endAgent } from "./end-agent";
import { decryptFunds } from "./funds/funds";
import { guardState, setGuard } from "./guard";
import { getPolicy } from "./policy";
import type { SessionPolicy } from "./session-policy";
import { resumeAgent, setPolicy } from "./set-policy";

/*
 * What an owner's client signs for the ledger over an account's life, in order. The expected results are read from the
 * chain.
 */

const CHAIN = 46630;
const NOBODY = "0x000000000000000000000000000000000000dEaD";
let services: WorkingServices;
let owner: Owner;
let payee: Owner;
/** What the client sent: signed documents, such as policies, and payments. */
let signed: AuthorityDocument[] = [];
let payments: SignedPayment[] = [];

beforeAll(async () => {
  services = await startWorkingServices();
  [owner, payee] = [await Owner.funded(CHAIN, 200_000_000n), await Owner.create(CHAIN)];
  await settled(await payee.enroll());
});
afterAll(() => services?.stop());
beforeEach(() => awayFromMidnight());

/** Records what the client sends and changes nothing. */
const noting: Meddle = async (request, honest) => {
  if (request.method !== "GET") {
    const body = await request
      .clone()
      .json()
      .catch(() => ({}));
    const document = body.signed?.document ?? body.document ?? (body.kind ? body : undefined);
    if (document) signed.push(document);
    if (body.client_signed) payments.push(body.client_signed);
  }
  return honest();
};

async function client(meddle = noting): Promise<Context> {
  [signed, payments] = [[], []];
  return clientOf(owner.walletKey, env().chains.test.rpcUrl, { meddle });
}

/** A service that changes its responses to one kind of request. */
const lying =
  (method: string, path: string, lie: (body: never) => object | undefined): Meddle =>
  async (request, honest) => {
    const response = await honest();
    if (request.method !== method || !new URL(request.url).pathname.startsWith(path)) return response;
    const body = lie((await response.json()) as never);
    return body
      ? Response.json(body)
      : Response.json({ error: { code: "available_balance_changed", message: "" } }, { status: 409 });
  };

/** Returns who signed the only document sent: the wallet or the payment key. */
async function signer(): Promise<string> {
  expect(signed).toHaveLength(1);
  const [document] = signed;
  if (!document) throw new Error("nothing was signed");
  const key = await keyBehind(authorityRequest(owner.scope, document).digest, document.signature);
  if (key === owner.address) return "wallet";
  return key === derivePaymentKey(owner.authority, owner.scope).address.toLowerCase() ? "paymentKey" : "another key";
}

const to = () => `@${payee.account.handle}`;
const bot = () => `@${owner.account.handle}/bot`;
const LIMITS = { daily_limit_usdg: 40, per_transaction_limit_usdg: 20, hitl_threshold_usdg: 10 };

async function limitOf(context: Context, agent?: string): Promise<bigint> {
  const party = agent === undefined ? await ownParty(context) : await partyOf(context, agent);
  return (await decryptFunds(context, party, await context.asset())).available.limit;
}

test("a new agent has its policy on the ledger, signed by the owner's key, and is paid by the account", async () => {
  const context = await client();
  await createAgent(context, { name: "bot", spendPolicy: { ...LIMITS, allowed_recipients: [to()] } });
  expect(await signer()).toBe("paymentKey");
  await send(context, { to: bot(), amount: "60", clientSigned: true });
  expect(await limitOf(context, bot())).toBe(60_000_000n);
});

test("an agent whose name is taken is refused before anything is signed", async () => {
  const taken = { code: "handle_taken", param: "name" };
  await expect(createAgent(await client(), { name: "bot" })).rejects.toMatchObject(taken);
  expect(signed).toEqual([]);
});

test("a policy on the ledger is shown with each entry once, however often the service repeats it", async () => {
  const repeating: Meddle = async (request, honest) => {
    const response = await honest();
    if (!new URL(request.url).pathname.endsWith("/spend-policy")) return response;
    const { assets, allowed_recipients, ...body } = (await response.json()) as SessionPolicy;
    const twice = <T>(list: readonly T[]) => [...list, ...list];
    return Response.json({ ...body, assets: twice(assets), allowed_recipients: twice(allowed_recipients) });
  };
  const context = await clientOf(owner.walletKey, env().chains.test.rpcUrl, { meddle: repeating });
  const shown = { in_force: "yes", assets: ["USDG"], allowed_recipients: [to()] };
  expect(await policyOfAgent(context, bot())).toMatchObject(shown);
});

test("recipients that no account has are named before anything is signed, and the policy stays", async () => {
  const context = await client();
  const set = (recipients: string[]) => setPolicy(context, bot(), { ...LIMITS, allowed_recipients: recipients });
  const one = { code: "recipient_not_found", param: "allowed_recipients", message: expect.stringContaining("@bbo.") };
  await expect(set([to(), "@bbo"])).rejects.toMatchObject(one);
  await expect(set(["@bbo", to(), "@nd-zzz"])).rejects.toThrow("No account has the handles @bbo, @nd-zzz.");
  await expect(
    createAgent(context, { name: "typo", spendPolicy: { allowed_recipients: ["@bbo"] } }),
  ).rejects.toMatchObject(one);
  expect(signed).toEqual([]);
  const { allowed_recipients } = await getPolicy(context, bot());
  expect(allowed_recipients).toEqual([to()]);
});

test("what the owner's client pays from an agent stays within its policy, and is refused beyond it before anything leaves", async () => {
  const context = await client();
  await send(context, { from: bot(), to: to(), amount: "15", clientSigned: true });
  expect(payments).toMatchObject([{ kind: "spend", mode: 1 }]);
  const refused = (input: object) =>
    send(context, { from: bot(), to: to(), amount: "1", clientSigned: true, ...input });
  await expect(refused({ amount: "21" })).rejects.toMatchObject({ name: "RefusedByPolicy" });
  await expect(refused({ amount: "20" }).then(() => refused({ amount: "20" }))).rejects.toMatchObject({
    reason: "daily_limit",
  });
  await expect(refused({ to: NOBODY, public: true })).rejects.toMatchObject({ code: "policy_violation" });
  expect(payments).toHaveLength(2);
});

test("what the owner takes out of an agent the wallet signs, and no rule counts", async () => {
  const context = await client();
  const before = await limitOf(context, bot());
  await withdraw(context, { to: NOBODY, amount: "5", agent: bot() });
  expect(payments).toMatchObject([{ kind: "spend_public", mode: 2, day: 0 }]);
  expect(await limitOf(context, bot())).toBe(before - 5_000_000n);
});

test("the key signs what tightens a policy, the wallet what loosens it; the call returns once the ledger has it", async () => {
  const context = await client();
  const chain = await context.chain();
  const { address } = await partyOf(context, bot());
  await setPolicy(context, bot(), { per_transaction_limit_usdg: 5 });
  expect(await signer()).toBe("paymentKey");
  const { policyVersion } = await chain.policyOf(address);
  signed = [];
  await setPolicy(context, bot(), { daily_limit_usdg: 100, per_transaction_limit_usdg: 20 });
  expect(await signer()).toBe("wallet");
  expect((await chain.policyOf(address)).policyVersion).toBe(policyVersion + 1n);
  await expect(setPolicy(context, bot(), { time_zone: "Mars/Olympus" })).rejects.toMatchObject({
    code: "invalid_policy",
    param: "time_zone",
  });
});

test("a paused agent pays again once the wallet has signed that it may", async () => {
  const context = await client();
  await pauseAgent(context, bot());
  signed = [];
  expect(await resumeAgent(context, bot())).toMatchObject({ status: "active" });
  expect(await signer()).toBe("wallet");
  await send(context, { from: bot(), to: to(), amount: "1", clientSigned: true });
});

test("an error after a signature has left says until when it can still be carried, as a service then does", async () => {
  const held: (() => Promise<Response>)[] = [];
  const later: Meddle = async (request, honest) => {
    if (request.method === "GET") return noting(request, honest);
    await noting(request, async () => new Response());
    held.push(honest);
    return Response.json({ error: { code: "invalid_policy", message: "No." } }, { status: 422 });
  };
  const context = await client(later);
  const chain = await context.chain();
  const { address } = await partyOf(context, bot());
  const { policyVersion } = await chain.policyOf(address);
  const until = () => new Date(Number(signed.at(-1)?.deadline) * 1000).toISOString();
  const policy = await setPolicy(context, bot(), { per_transaction_limit_usdg: 20 }).catch((error) => error);
  expect(policy).toMatchObject({ code: "invalid_policy", mayHappenUntil: until() });
  expect(policy.message).toMatch(new RegExp(`^No\\. The policy .* until ${until()}`));
  const guard = await setGuard(context, true).catch((error) => error);
  expect(guard).toMatchObject({ mayHappenUntil: until(), message: expect.stringContaining(until()) });
  const [carryPolicy, carryGuard] = held;
  expect((await carryPolicy?.())?.ok).toBe(true);
  // First, because the payment key signed it: a guarded account's wallet has to.
  await expect.poll(async () => (await chain.policyOf(address)).policyVersion).toBe(policyVersion + 1n);
  expect((await carryGuard?.())?.ok).toBe(true);
  await expect.poll(async () => (await guardState(context)).guarded).toBe(true);
  await setGuard(await client(), false);
});

test("an error before a signature has left says nothing of the kind", async () => {
  const unreachable: Meddle = async (request, honest) => {
    if (request.method === "GET") return honest();
    throw Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) });
  };
  const context = await client(unreachable);
  const refused = await setPolicy(context, bot(), { per_transaction_limit_usdg: 20 }).catch((error) => error);
  expect(refused).toMatchObject({ code: "unavailable", neverArrived: true });
  expect(refused.mayHappenUntil).toBeUndefined();
});

test("of a guarded account the wallet signs policies and what it moves to its agents", async () => {
  const context = await client();
  expect(await guardState(context)).toEqual({ guarded: false, limited: false });
  expect(await setGuard(context, true)).toMatchObject({ guarded: true, by: "service" });
  expect(await setGuard(context, true)).toEqual({ guarded: true, by: null, tx_hash: null });
  signed = [];
  await setPolicy(context, bot(), { per_transaction_limit_usdg: 15 });
  expect(await signer()).toBe("wallet");
  const before = await limitOf(context, bot());
  await send(context, { to: bot(), amount: "2", clientSigned: true });
  await send(context, { from: bot(), to: owner.address, amount: "1", clientSigned: true });
  expect(await limitOf(context, bot())).toBe(before + 1_000_000n);
  expect(await setGuard(context, false)).toMatchObject({ guarded: false });
});

test("with limits of its keys the account pays by its key within them and by its wallet beyond; without them as before", async () => {
  const context = await client();
  expect(await getLimits(context)).toBeNull();
  await setLimits(context, { ...LIMITS, allowed_recipients: ["*"] });
  expect(await signer()).toBe("wallet");
  expect(await guardState(context)).toEqual({ guarded: true, limited: true });
  await expect(setGuard(context, false)).rejects.toMatchObject({ code: "invalid_request" });
  const before = await limitOf(context);
  await send(context, { to: to(), amount: "9", clientSigned: true });
  await send(context, { to: to(), amount: "30", clientSigned: true });
  await withdraw(context, { to: NOBODY, amount: "8" });
  expect(payments).toMatchObject([
    { kind: "spend", mode: 0 },
    { kind: "spend", mode: 2 },
    { kind: "spend_public", mode: 0 },
  ]);
  expect(await limitOf(context)).toBe(before - 47_000_000n);
  await setLimits(context, { hitl_threshold_usdg: 5 });
  expect(await getLimits(context)).toMatchObject({ hitl_threshold_usdg: 5, daily_limit_usdg: 40 });

  await clearLimits(context);
  expect(await getLimits(context)).toBeNull();
  expect(await guardState(context)).toEqual({ guarded: true, limited: false });
  await setGuard(context, false);
  payments = [];
  await send(context, { to: to(), amount: "1", clientSigned: true });
  expect(payments).toMatchObject([{ kind: "transfer" }]);
});

test("a transaction that a service names is reported only if the chain shows the signed call in it", async () => {
  const { tx_hash } = await setGuard(await client(), true);
  expect(tx_hash).toMatch(/^0x[0-9a-f]{64}$/);
  const naming = lying("GET", "/api/operations/", (body: object) => ({ ...body, tx_hash }));
  expect(await setGuard(await client(naming), false)).toEqual({ guarded: false, by: "service", tx_hash: null });
  await setLimits(await client(), LIMITS);
  const ended = lying("DELETE", "/api/limits", ({ operation }: { operation: object }) => {
    return { operation: { ...operation, tx_hash } };
  });
  expect(await clearLimits(await client(ended))).toEqual({ tx_hash: null });
  await setGuard(await client(), false);
});

test("an error after the limits are removed says so, and repeating it finishes", async () => {
  const context = await client();
  await setLimits(context, { ...LIMITS, allowed_recipients: ["*"] });
  await send(context, { to: to(), amount: "1", clientSigned: true });
  const hiding = lying("GET", "/api/ledger", (view: { available: object }) => ({
    ...view,
    available: { ...view.available, encrypted: "0x00" },
  }));
  const removed = { mayHaveHappened: true, message: expect.stringMatching(/^The limits are removed/) };
  await expect(clearLimits(await client(hiding))).rejects.toMatchObject(removed);
  expect(await guardState(context)).toMatchObject({ limited: false });
  expect(await clearLimits(context)).toEqual({ tx_hash: null });
  await setGuard(context, false);
  await send(context, { to: to(), amount: "1", clientSigned: true });
});

test("a new key of an agent is the one the ledger takes; a rotation gives every agent another", async () => {
  const context = await client();
  const chain = await context.chain();
  const { address } = await partyOf(context, bot());
  const { address: usdg } = await context.asset();
  const before = await chain.availableOf(address, usdg);
  const { signer: replaced, available_balances: renewed } = await replaceAgentKey(context, bot());
  expect(renewed).toBe(1);
  expect(await chain.availableOf(address, usdg)).not.toBe(before);
  expect((await chain.account(address)).signer.toLowerCase()).toBe(replaced);
  const result = await rotateAccountSecret(context);
  expect(result).toMatchObject({ secret_version: 2, agents_rekeyed: 1, by: "service" });
  expect(result).not.toHaveProperty("unfinished");
  const { signer: rotated } = await chain.account(address);
  expect([address, replaced]).not.toContain(rotated.toLowerCase());
  await send(context, { from: bot(), to: to(), amount: "1", clientSigned: true });
  await send(context, { to: to(), amount: "1", clientSigned: true });
});

test("a service that lies while the account secret is rotated keeps no balance from a new salt, and has none renewed twice", async () => {
  const context = await client();
  const chain = await context.chain();
  const { signer } = await chain.account(owner.address);
  const wrongUnits = lying("GET", "/api/network", ({ assets, ...rest }: { assets: { unit: string }[] }) => {
    return { ...rest, assets: assets.map((one) => ({ ...one, unit: "wei" })) };
  });
  await expect(rotateAccountSecret(await client(wrongUnits))).rejects.toMatchObject({ code: "unavailable" });
  // It was noticed before anything was revoked.
  expect((await chain.account(owner.address)).signer).toBe(signer);

  const since = await chain.client.getBlockNumber();
  for (const lie of [
    lying("GET", "/api/ledger", ({ available: _, ...view }: { available: object }) => view),
    // Carried out, and called refused.
    lying("POST", "/api/make-available", () => undefined),
  ]) {
    const result = await rotateAccountSecret(await client(lie));
    expect(result).toMatchObject({ available_balances: 2, agents_rekeyed: 1 });
    expect(result).not.toHaveProperty("unfinished");
  }
  const event = { address: chain.ledger, abi: ledgerAbi, eventName: "MadeAvailable" as const, fromBlock: since + 1n };
  expect(await chain.client.getContractEvents(event)).toHaveLength(4);
});

test("a rotation that was interrupted takes the version it began with, and the next one once the chain has its payment key", async () => {
  const version = async () => (await (await client()).account()).secret_version;
  const signer = async () => (await (await (await client()).chain()).account(owner.address)).signer;
  const closedAfter = (step: number) => (done: number) => {
    if (done === step) throw new Error("the page was closed");
  };
  const interrupted = async (step: number) =>
    expect(rotateAccountSecret(await client(), closedAfter(step))).rejects.toThrow("the page was closed");
  const [first, before] = [await version(), await signer()];
  await interrupted(1);
  expect([await version(), await signer()]).toEqual([first, before]);
  await interrupted(2);
  expect(await version()).toBe(first + 1);
  const halfway = await signer();
  expect(halfway).not.toBe(before);
  const result = await rotateAccountSecret(await client());
  expect(result).toMatchObject({ secret_version: first + 2, available_balances: 2, agents_rekeyed: 1 });
  expect(result).not.toHaveProperty("unfinished");
  expect([before, halfway]).not.toContain(await signer());
  await send(await client(), { from: bot(), to: to(), amount: "1", clientSigned: true });
});

test("an agent that has ended pays nothing more, and its money goes back to its owner", async () => {
  const context = await client();
  expect(await endAgent(context, bot())).toMatchObject({ status: "ended", handle: bot() });
  expect(await endAgent(context, (await partyOf(context, bot())).address)).toMatchObject({ by: null, tx_hash: null });
  await expect(send(context, { from: bot(), to: to(), amount: "1", clientSigned: true })).rejects.toMatchObject({
    code: "policy_violation",
    reason: "agent_paused",
  });
  await expect(replaceAgentKey(context, bot())).rejects.toMatchObject({ code: "invalid_request" });
  const before = await limitOf(context);
  await send(context, { from: bot(), to: owner.address, amount: "3", clientSigned: true });
  expect(await limitOf(context)).toBe(before + 3_000_000n);
});
