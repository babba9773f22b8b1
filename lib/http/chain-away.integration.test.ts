import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { db } from "@/db/client";
import { agents } from "@/db/schema/agents";
import { operations } from "@/db/schema/chain";
import { getAgent } from "@/lib/agents/get-agent";
import { getPolicy } from "@/lib/agents/get-policy";
import { readLimits, readOwnersPolicy } from "@/lib/agents/owners-policy";
import { readPolicy } from "@/lib/agents/pending-policy";
import { leaveLimits, setLimits } from "@/lib/agents/set-limits";
import { pauseAgent, resumeAgent } from "@/lib/agents/set-status";
import { updatePolicy } from "@/lib/agents/update-policy";
import type { KeyContext } from "@/lib/base/context/context";
import { createTransfer } from "@/lib/payments/create-transfer";
import { tryTransfer } from "@/lib/payments/try-transfer";
import { Agent } from "@/test/accounts/agent";
import { Owner, settled } from "@/test/accounts/owner";
import { signPolicyAs } from "@/test/accounts/sign-policy";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { type LyingRpc, startLyingRpc } from "@/test/services/lying-rpc";
import { withWorker } from "@/test/services/with-worker";
import { failure } from "./failure";

const CHAIN = 46630;
let services: LocalServices;
let node: LyingRpc;
let owner: Owner;
let agent: Agent;
let ownerKey: KeyContext;
let agentKey: KeyContext;

beforeAll(async () => {
  services = await startLocalServices(async ({ RPC_URL_46630 = "" }) => {
    node = await startLyingRpc(RPC_URL_46630);
    return { RPC_URL_46630: node.url };
  });
  await withWorker(async () => {
    owner = await Owner.funded(CHAIN, 100_000_000n);
    ownerKey = await owner.key();
    const registered = await Agent.create(owner);
    agent = registered.agent;
    await settled(registered.operationId);
    agentKey = await agent.key();
    const fund = { to: `@${agent.account.handle}`, amount: "20", asset: "USDG" as const, confidential: true };
    const paid = await createTransfer(ownerKey, fund);
    if (paid.outcome !== "paid") throw new Error("nothing was funded");
    await settled(paid.transfer.row.operationId);
  });
});

afterEach(() => {
  node.away(false);
  node.silent(false);
  node.busy(false);
});

afterAll(async () => {
  await services?.stop();
  await node?.stop();
});

const away = [
  ["refuses", () => node.away(true)],
  ["does not respond", () => node.silent(true)],
] as const;

/** Returns the error response that the caller gets. */
async function responseTo(work: Promise<unknown>) {
  const began = performance.now();
  const thrown = await work.then(
    () => expect.unreachable("this needs the chain"),
    (error: unknown) => error,
  );
  const took = performance.now() - began;
  const response = failure(thrown, "req_test", "/");
  const { error } = await response.json();
  return { status: response.status, code: error.code, after: response.headers.get("retry-after"), took };
}

const pay = (amount = "1") =>
  createTransfer(agentKey, { to: `@${owner.account.handle}`, amount, asset: "USDG", confidential: true });
const operationsNow = async () => (await db().select({ id: operations.id }).from(operations)).length;
const status = async () => (await getAgent(agent.account)).status;

test.each(away)("while a chain's node %s, what needs it gets a 503 soon, and changes nothing", async (_, goAway) => {
  const { policyVersion } = await readPolicy(CHAIN, agent.account);
  const policy = { ...(await getPolicy(owner.session, agent.account.id)).policy, dailyLimit: 1n };
  const next = { policy, paused: false, version: policyVersion + 1n };
  const signed = await signPolicyAs(owner, agent.address, next);
  const count = await operationsNow();
  goAway();
  const body = { to: `@${owner.account.handle}`, amount: "1", asset: "USDG" as const, confidential: true };
  const ask: Record<string, () => Promise<unknown>> = {
    pay: () => pay(),
    tryTransfer: () => tryTransfer(agentKey, body),
    updateByKey: () => updatePolicy(ownerKey, agent.account.id, { dailyLimit: 1n }),
    updateBySession: () => updatePolicy(owner.session, agent.account.id, { dailyLimit: 1n }, signed),
    readOwnersPolicy: () => readOwnersPolicy(owner.session, agent.account.id),
    readLimits: () => readLimits(owner.session),
    setLimits: () => setLimits(owner.session, { dailyLimit: 1n }, signed),
    leaveLimits: () => leaveLimits(owner.session, signed),
    resume: () => resumeAgent(ownerKey, agent.account.id),
  };
  // Nothing waits for the node twice (five seconds each). A busy machine may take as long once, but not each time.
  let late = Object.entries(ask);
  for (let round = 1; late.length > 0 && round <= 3; round++) {
    const asked = late.map(async ([name, work]) => {
      const response = await responseTo(work());
      expect(response, name).toMatchObject({ status: 503, code: "unavailable" });
      expect(Number(response.after), name).toBeGreaterThan(0);
      return response.took >= 10_000;
    });
    const isLate = await Promise.all(asked);
    late = late.filter((_, at) => isLate[at]);
  }
  expect(late.map(([name]) => name)).toEqual([]);
  expect(await operationsNow()).toBe(count);
  expect(await status()).toBe("active");
});

test("a node that has an error of its own for whatever is asked is away, for one request and for several together", async () => {
  node.busy(true);
  for (const work of [pay(), readOwnersPolicy(owner.session, agent.account.id)].map(responseTo)) {
    expect(await work).toMatchObject({ status: 503, code: "unavailable" });
  }
});

test("those who wait behind each other for a silent node do not each wait as long", async () => {
  const many = Array.from({ length: 6 }, () => ({ dailyLimit: 1n }));
  node.silent(true);
  let slowest = Number.POSITIVE_INFINITY;
  // Five seconds each, in turn, were thirty. A busy machine may take as long once, but not each time.
  for (let round = 1; slowest >= 25_000 && round <= 3; round++) {
    const asked = many.map((change) => responseTo(updatePolicy(ownerKey, agent.account.id, change)));
    const responses = await Promise.all(asked);
    for (const { status: answered } of responses) expect(answered).toBe(503);
    slowest = Math.max(...responses.map(({ took }) => took));
  }
  expect(slowest).toBeLessThan(25_000);
});

test.each(away)(
  "while a chain's node %s, what the service knows is read, and the rows refuse as ever",
  async (_, goAway) => {
    goAway();
    const { policy } = await getPolicy(agentKey, agent.account.id);
    expect(policy.perTransactionLimit).toBeGreaterThan(0n);
    expect((await getPolicy(owner.session, agent.account.id)).policy).toEqual(policy);
    expect(await status()).toBe("active");
    // A payment that the service's policy denies needs no chain.
    await expect(pay("1000000")).rejects.toMatchObject({ code: "policy_violation" });
  },
);

test.each(away)(
  "while a chain's node %s, a pause holds at once, and nothing waits for a payment that does",
  async (how, goAway) => {
    goAway();
    let ended = false;
    const paying = responseTo(pay()).finally(() => {
      ended = true;
    });
    expect((await pauseAgent(owner.session, agent.account.id)).status).toBe("paused");
    // It has not waited for the node as the payment does, five seconds.
    if (how === "does not respond") expect(ended).toBe(false);
    expect(await status()).toBe("paused");
    // The payment was not decided yet. It is refused because of the chain or because of the pause.
    const { status: answered, code } = await paying;
    expect([403, 503]).toContain(answered);
    expect(["policy_violation", "unavailable"]).toContain(code);
    expect((await pauseAgent(ownerKey, agent.account.id)).status).toBe("paused");
    await expect(pay()).rejects.toMatchObject({ code: "policy_violation" });
    await expect(resumeAgent(ownerKey, agent.account.id)).rejects.toThrow();
    expect(await status()).toBe("paused");
    node.away(false);
    node.silent(false);
    // A node that has just failed to respond is not asked for a second.
    const resumed = async () => expect((await resumeAgent(ownerKey, agent.account.id)).status).toBe("active");
    await vi.waitFor(resumed, { timeout: 60_000, interval: 100 });
    const [row] = await db().select().from(agents).where(eq(agents.accountId, agent.account.id));
    expect(row?.status).toBe("active");
  },
);
