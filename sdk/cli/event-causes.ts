import { generatePrivateKey } from "viem/accounts";
import { HalcyonError } from "../api/errors";
import type { Agent } from "../api/resources/agents";
import type { EventType } from "../api/webhooks/webhook-events";
import { Halcyon } from "../client";
import type { HalcyonOptions } from "../context/platform/node-context";
import { TransferFailed } from "../payments/attempts/transfer-failed";
import type { CreatedRequest } from "../payments/requests/create-request";
import { AMOUNT, eventually, PAYEE, payScheduledRun, withDueRun } from "./schedule-causes";

/**
 * How soon it expires. Tried in turn, because on a busy machine creating the request may take longer than the first.
 */
const SOON_MS = [3_000, 15_000, 60_000];

const POLICY = {
  daily_limit_usdg: 1_000,
  per_transaction_limit_usdg: 1_000,
  allowed_recipients: ["*"],
  hitl_threshold_usdg: 0,
};

/** How to cause each event. A type that is missing here can't be caused. */
export const CAUSES: Partial<Record<EventType, (client: Halcyon, settings: HalcyonOptions) => Promise<unknown>>> = {
  "transfer.initiated": pay,
  "transfer.confirmed": pay,
  "transfer.failed": fail,
  "agent.transaction.pending_approval": hold,
  "agent.transaction.approved": async (client) => client.approvals.approve(await hold(client)),
  "agent.transaction.rejected": async (client) => client.approvals.reject(await hold(client)),
  "agent.transaction.expired": async (client) => client.testHelpers.expire(await hold(client)),
  "agent.policy.updated": changePolicy,
  "agent.created": newAgent,
  "agent.paused": pauseAndResume,
  "agent.resumed": pauseAndResume,
  "agent.ended": async (client) => client.agents.end((await newAgent(client)).handle),
  "deposit.confirmed": (client) => client.testHelpers.faucet({ amount: "1" }),
  "balance.made_available": makeAvailable,
  "payout.finished": (client) => client.payouts.create({ rows: [{ to: PAYEE, amount: AMOUNT }] }),
  "payment_request.payment_received": causeRequestPaid,
  "payment_request.paid": async (client, settings) => {
    const id = await causeRequestPaid(client, settings);
    await client.paymentRequests.check({ id });
  },
  "payment_request.expired": expireRequest,
  "payment_request.cancelled": async (client) =>
    client.paymentRequests.cancel((await aRequest(client)).payment_request_id),
  "schedule.due": (client) => withDueRun(client, async () => {}),
  "schedule.run_paid": (client) => withDueRun(client, (schedule, run) => payScheduledRun(client, schedule, run)),
  "key.created": createAndRevoke,
  "key.revoked": createAndRevoke,
  "key.exposed": expose,
  "webhook.disabled": disable,
};

function pay(client: Halcyon) {
  return client.transfers.create({ to: PAYEE, amount: AMOUNT });
}

async function fail(client: Halcyon): Promise<void> {
  const { to } = await client.testHelpers.failingRecipient();
  await client.transfers.create({ to, amount: AMOUNT }).catch((error: unknown) => {
    if (!(error instanceof TransferFailed)) throw error;
  });
}

/** Returns an agent for these tests, whose every payment needs approval. */
async function anAgent(client: Halcyon): Promise<Agent> {
  const { agents } = await client.agents.list();
  const mine = agents.find(({ handle, status }) => /\/trigger(-|$)/.test(handle) && status === "active");
  return mine ?? newAgent(client);
}

function newAgent(client: Halcyon): Promise<Agent> {
  const name = `trigger-${Math.random().toString(36).slice(2, 8)}`;
  return client.agents.create({ name, spendPolicy: POLICY });
}

/** Creates a payment that awaits approval; returns its id. */
async function hold(client: Halcyon): Promise<string> {
  const { handle } = await anAgent(client);
  const ask = () => client.transfers.create({ from: handle, to: PAYEE, amount: AMOUNT });
  const asked = await ask().catch(async (error: unknown) => {
    if (!(error instanceof HalcyonError && error.code === "insufficient_balance")) throw error;
    await client.transfers.create({ to: handle, amount: "1" });
    return ask();
  });
  if ("transaction_id" in asked) return asked.transaction_id;
  throw new HalcyonError("policy_violation", `${handle} paid without approval. Set its approval threshold to 0.`);
}

async function changePolicy(client: Halcyon): Promise<void> {
  const { handle } = await anAgent(client);
  const { daily_limit_usdg } = await client.policies.get(handle);
  await client.policies.update(handle, { daily_limit_usdg: daily_limit_usdg > 1_000 ? 1_000 : 1_001 });
}

async function pauseAndResume(client: Halcyon): Promise<void> {
  const { handle } = await anAgent(client);
  await client.agents.pause(handle);
  await client.agents.resume(handle);
}

async function makeAvailable(client: Halcyon): Promise<void> {
  await client.testHelpers.faucet({ amount: "1" });
  await client.balances.makeAvailable();
}

async function createAndRevoke(client: Halcyon): Promise<void> {
  const { key_id } = await client.keys.create({ label: "trigger" });
  await client.keys.revoke(key_id);
}

/** Sends a home key to the service, which refuses the request, and revokes the key. */
async function expose(client: Halcyon): Promise<void> {
  const { key_id, home_key = "" } = await client.keys.create({ label: "trigger", blind: true });
  await client.transfers.list({ reference: home_key }).catch(() => {});
  await client.keys.revoke(key_id);
}

async function disable(client: Halcyon): Promise<void> {
  const input = { url: "http://localhost:1/trigger", events: ["webhook.disabled"] } as const;
  const { webhook_id } = await client.webhooks.create(input);
  await client.webhooks.update(webhook_id, { enabled: false });
  await client.webhooks.delete(webhook_id);
}

/** Creates a payment request of the account. */
function aRequest(client: Halcyon): Promise<CreatedRequest> {
  return client.paymentRequests.create({ amount: AMOUNT, reference: "trigger" });
}

/** Creates a new account with money, because an account can't pay its own request. Its wallet is not kept. */
async function aPayer({ url, network, rpcUrl, configDir }: HalcyonOptions): Promise<Halcyon> {
  const payer = new Halcyon({ url, network, rpcUrl, configDir, walletKey: generatePrivateKey() });
  await payer.account.create({ handle: `trigger-${Math.random().toString(36).slice(2, 10)}` });
  await payer.testHelpers.faucet({ amount: "1" });
  await payer.balances.makeAvailable();
  return payer;
}

/** Has another account pay a payment request of this account; returns the request's id. */
async function causeRequestPaid(client: Halcyon, settings: HalcyonOptions): Promise<string> {
  const { payment_request_id: id, link } = await aRequest(client);
  await (await aPayer(settings)).paymentRequests.pay(link, { most: AMOUNT });
  return id;
}

/** Creates a payment request that expires a few seconds later, and waits for its expiry. */
async function expireRequest(client: Halcyon): Promise<void> {
  const { payment_request_id: id } = await expiringSoon(client);
  await eventually(async () => {
    const { status } = await client.paymentRequests.retrieve(id);
    return status === "expired" ? status : undefined;
  }, "The expiry");
}

async function expiringSoon(
  client: Halcyon,
  [soon = 0, ...later]: readonly number[] = SOON_MS,
): Promise<CreatedRequest> {
  try {
    return await client.paymentRequests.create({ amount: AMOUNT, expires: new Date(Date.now() + soon) });
  } catch (error) {
    // It had expired before it was created.
    if (later.length === 0 || !(error instanceof HalcyonError) || error.param !== "expires_at") throw error;
    return expiringSoon(client, later);
  }
}
