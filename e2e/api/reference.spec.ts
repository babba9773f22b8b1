import { createHmac, randomBytes } from "node:crypto";
import { Halcyon } from "@/sdk/client";
import { type ApiDocument, documentOf } from "@/test/services/api-document";
import { Receiver } from "../receiver";
import { expect, newParty, type Party, productURL, settled, test } from "./fixtures";
import { withKey } from "./http";
import { type RecordedCall as Call, RECORDING, Recorder } from "./recorder";

const POLICY = {
  daily_limit_usdg: 500,
  per_transaction_limit_usdg: 200,
  allowed_recipients: ["*"],
  assets: ["USDG"],
  active_hours: "00:00-24:00",
  hitl_threshold_usdg: 50,
};

/** Creates a payment that becomes due within 15 to 75 seconds, while the other operations are called. */
async function schedulesAPayment(call: Call, to: Party): Promise<string> {
  const [start = "", time = ""] = new Date(Date.now() + 75_000).toISOString().split("T");
  const { json } = await call("POST", "/v1/schedules", {
    name: "Office rent",
    rule: { frequency: "monthly", start, time: time.slice(0, 5) },
    payments: [{ to: to.handle, amount: "1.00", memo: "rent" }],
  });
  const path = `/v1/schedules/${json.schedule_id}`;
  await call("GET", "/v1/schedules?limit=2");
  await call("GET", path);
  await call("POST", `${path}/runs`);
  await call("GET", `${path}/runs?limit=5`);
  return path;
}

async function paysARun(call: Call, party: Party, path: string): Promise<void> {
  const due = async () => (await party.call("GET", path)).json.due_runs as { run_id: string }[];
  await expect.poll(async () => (await due()).length, { timeout: 120_000 }).toBe(1);
  const [run] = await due();
  await call("POST", `${path}/runs/${run?.run_id}/pay`, { version: 1 });
  await call("GET", `${path}/runs/${run?.run_id}`);
  await call("POST", `${path}/skip`, { version: 1 });
  await call("PATCH", path, { status: "paused" });
  await call("DELETE", path);
}

test("every operation of /openapi.json returns each of its successes, and every event arrives, as documented", async ({
  playwright,
}) => {
  const document = await documentOf(productURL);
  const receiver = await Receiver.open();
  const recorder = new Recorder(document, [
    [receiver.url(""), "https://example.com"],
    [/whsec_[A-Za-z0-9+/=]+/g, "whsec_c2FtcGxlc2VjcmV0c2FtcGxlc2VjcmV0c2FtcGxlcyE="],
    [/"decryption_proof": "[^"]{200,}"/g, '"decryption_proof": "eyJ2IjoxLCJhY2NvdW50Ijoi…"'],
    [/"(home_wrap|state)": "(0x[0-9a-f]{16})[0-9a-f]+"/g, '"$1": "$2…"'],
  ]);
  const [mira, tomas] = [
    await newParty(playwright, "mira", "1000", ...(RECORDING ? ["mira"] : [])),
    await newParty(playwright, "tomas", undefined, ...(RECORDING ? ["tomas"] : [])),
  ];
  const call = recorder.of(mira);
  const since = new Date().toISOString();

  await call("GET", "/v1/accounts/me");
  const events = Object.keys(document.document.webhooks);
  const { json: webhook } = await call("POST", "/v1/webhooks", { url: receiver.url(), events });
  await call("GET", "/v1/webhooks");
  const schedule = await schedulesAPayment(call, tomas);
  await pays(call, mira, tomas);
  await paysBlind(recorder, mira, tomas);
  await paysOut(call, mira);
  await asksForMoney(call, recorder.of(tomas), mira, tomas);
  const agent = await managesAgents(call, mira, tomas);
  await decides(call, agent, tomas);
  await call("GET", "/v1/accounts/me/balances");
  const { decryption_proof } = await mira.client.balances.prove();
  await call("POST", "/v1/accounts/me/balances", { decryption_proof });
  await paysARun(call, mira, schedule);
  await call("GET", "/v1/audit-log?actor=key&limit=3");
  await call("GET", "/v1/request-log?method=POST&limit=2");
  await listsEvents(call, receiver, events);
  expect(receiver.received.map(({ headers, body }) => headers["x-service-signature"] === sign(body, webhook))).toEqual(
    receiver.received.map(() => true),
  );
  await managesWebhook(call, String(webhook.webhook_id), receiver, since);
  await receiver.close();

  for (const { event } of receiver.received) {
    expect(document.eventFaults(event.event, event), event.event).toEqual([]);
    recorder.event(event.event, event);
  }
  expect([...recorder.events.keys()].sort()).toEqual([...events].sort());
  expect(seen(recorder)).toEqual(promised(document));
  recorder.write("operations", "events");
});

const sign = (body: string, { secret }: Record<string, unknown>) =>
  createHmac("sha256", String(secret)).update(body).digest("hex");

/** Returns the recorded operations, such as `createTransfer 201`. */
function seen({ operations }: Recorder): string[] {
  return [...operations].flatMap(([id, replies]) => replies.map(({ status }) => `${id} ${status}`)).sort();
}

/** Returns the operations that the document promises, in the same form. */
function promised({ document }: ApiDocument): string[] {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return operations
    .flatMap(({ operationId, responses }) =>
      Object.keys(responses).flatMap((status) => (status < "300" ? [`${operationId} ${status}`] : [])),
    )
    .sort();
}

async function pays(call: Call, mira: Party, tomas: Party): Promise<void> {
  const paid = await call("POST", "/v1/transfers", { to: tomas.handle, amount: "25.00", memo: "Invoice 1042" });
  const id = String(paid.json.transfer_id);
  await settled(mira, id);
  await call("GET", `/v1/transfers/${id}`);
  await call("GET", "/v1/transfers?limit=2");
}

/** Pays with a blind key, whose home key signs what the SDK asks for. */
async function paysBlind(recorder: Recorder, { client }: Party, tomas: Party): Promise<void> {
  const { api_key: apiKey, home_key: homeKey } = await client.keys.create({ label: "shop", blind: true });
  const call = recorder.of({ call: withKey(productURL, apiKey) });
  const recording: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    if (pathname !== "/v1/transfers/plan" && pathname !== "/v1/transfers/batch") return fetch(input, init);
    const { status, text } = await call("POST", pathname, JSON.parse(String(init?.body)));
    return new Response(text, { status });
  };
  const blind = new Halcyon({ url: productURL, apiKey, homeKey, fetch: recording });
  await blind.transfers.create({ to: tomas.handle, amount: "1.00" });
  // The first goes alone, and the others wait for it together.
  await Promise.all([1, 2, 3, 4, 5].map(() => blind.transfers.create({ to: tomas.handle, amount: "1.00" })));
  // Mistaken for the API key: refused, and announced to its owner.
  expect((await withKey(productURL, String(homeKey))("GET", "/v1/accounts/me")).status).toBe(400);
}

async function paysOut(call: Call, mira: Party): Promise<void> {
  // Every local stack has this recipient, so the sample works for anyone who tries it.
  const row = { to: "@demo", amount: "25.00" };
  await call("POST", "/v1/payouts?dry_run=true", { rows: [row, { to: "@nobody-here", amount: "0.12345678" }] });
  const rows = [
    { ...row, reference: "wages-11-demo" },
    { ...row, memo: "November" },
  ];
  const { json } = await call("POST", "/v1/payouts", { rows });
  const id = String(json.payout_id);
  await call("POST", `/v1/payouts/${id}/resume`);
  await expect.poll(async () => (await mira.call("GET", `/v1/payouts/${id}`)).json.status).toBe("finished");
  await call("GET", `/v1/payouts/${id}`);
  await call("GET", "/v1/payouts?limit=2");
  await call("GET", `/v1/payouts/${id}/rows?limit=2`);
  await call("POST", `/v1/payouts/${id}/cancel`);
  await addsEncryptedRows(call, mira);
}

/** Does what a client does that encrypts a payout's rows itself. */
async function addsEncryptedRows(call: Call, mira: Party): Promise<void> {
  const id = newId("po");
  const encrypted = { payout_id: id, rows: 1, encrypted_key: ciphertext(72), secret_version: 1 };
  expect((await mira.call("POST", "/v1/payouts", { encrypted })).status).toBe(201);
  const row = { row: 1, batch: 0, place: 0, to: "@demo", reference: null };
  // A commitment lies below the order of the field.
  const note = `0x00${randomBytes(31).toString("hex")}`;
  await call("POST", `/v1/payouts/${id}/rows`, { rows: [{ ...row, note, ciphertext: ciphertext(993) }] });
  expect((await mira.call("POST", `/v1/payouts/${id}/cancel`)).status).toBe(200);
}

/** Returns the time so many days from now, to the second. */
const inDays = (days: number) => new Date(Math.floor(Date.now() / 1000 + days * 86_400) * 1000).toISOString();

const newId = (prefix: string) =>
  `${prefix}_01KADJ2C9B${[...randomBytes(16)].map((byte) => "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[byte & 31]).join("")}`;

/** Meaningless ciphertext. To the service it looks like what the SDK encrypts. */
const ciphertext = (bytes: number) => `0x${randomBytes(bytes).toString("hex")}`;

async function asksForMoney(pay: Call, call: Call, mira: Party, tomas: Party): Promise<void> {
  const id = newId("payreq");
  await call("POST", "/v1/payment-requests", {
    payment_request_id: id,
    expires_at: RECORDING ? "2027-06-30T12:00:00Z" : inDays(30),
    reference: "order-1042",
    envelope: ciphertext(1_064),
    link_key: ciphertext(80),
  });
  const binding = ciphertext(32);
  const paid = await pay("POST", "/v1/transfers", { to: tomas.address, amount: "1.00", payment_request: id, binding });
  await settled(mira, String(paid.json.transfer_id));
  const path = `/v1/payment-requests/${id}`;
  await call("GET", path);
  await call("POST", `${path}/report`, { transfer_id: paid.json.transfer_id, finding: "unrelated" });
  await call("GET", "/v1/payment-requests?limit=2");
  await call("POST", `${path}/cancel`);
}

interface Agent {
  id: string;
  handle: string;
}

async function managesAgents(call: Call, mira: Party, tomas: Party): Promise<Agent> {
  const { json } = await call("POST", "/v1/accounts/me/agents", { name: "procurement", spend_policy: POLICY });
  const agent = { id: String(json.account_id), handle: String(json.handle) };
  await call("GET", "/v1/accounts/me/agents");
  await call("GET", `/v1/agents/${agent.id}/spend-policy`);
  await call("PATCH", `/v1/agents/${agent.id}/spend-policy`, { daily_limit_usdg: 800 });
  const payments = ["40.00", "120.00", "300.00"].map((amount) => ({ to: tomas.handle, amount }));
  await call("POST", `/v1/agents/${agent.id}/spend-policy/simulate`, { payments });
  await call("POST", `/v1/agents/${agent.id}/pause`);
  await call("POST", `/v1/agents/${agent.id}/resume`);
  const funded = await mira.call("POST", "/v1/transfers", { to: agent.handle, amount: "400.00" });
  await settled(mira, String(funded.json.transfer_id));
  return agent;
}

async function decides(call: Call, agent: Agent, tomas: Party): Promise<void> {
  const payment = { from: agent.handle, to: tomas.handle, amount: "120.00", memo: "Paper" };
  await call("POST", "/v1/transfers?dry_run=true", payment);
  const held = await call("POST", "/v1/transfers", payment);
  await call("GET", "/v1/agents/transactions/pending");
  await call("POST", `/v1/agents/transactions/${held.json.transaction_id}/approve`);
  await call("GET", `/v1/agents/transactions/${held.json.transaction_id}`);
  const other = await call("POST", "/v1/transfers", payment);
  await call("POST", `/v1/agents/transactions/${other.json.transaction_id}/reject`);
  await call("POST", `/v1/agents/transactions/${other.json.transaction_id}/reject`);
  const third = await call("POST", "/v1/transfers", payment);
  await call("POST", "/v1/test_helpers/clock/advance", { seconds: 3_600 });
  await call("POST", `/v1/test_helpers/transactions/${third.json.transaction_id}/expire`);
  await call("GET", "/v1/test_helpers/failing_recipient");
}

/**
 * Events that this test does not cause, such as a payment that fails on chain or the end of a year. Sent as test events
 * instead.
 */
const TESTED = [
  "transfer.failed",
  "transfer.returned",
  "agent.ended",
  "deposit.confirmed",
  "balance.made_available",
  "payout.paused",
  "payment_request.payment_received",
  "payment_request.paid",
  "payment_request.expired",
  "payment_request.cancelled",
  "schedule.run_missed",
  "key.created",
  "key.revoked",
  "webhook.disabled",
  "account.payment_key.expiring",
  "account.payment_key.expired",
];

async function listsEvents(call: Call, receiver: Receiver, types: string[]): Promise<void> {
  const missing = () => types.filter((type) => !TESTED.includes(type) && !receiver.types().includes(type));
  await expect.poll(missing).toEqual([]);
  await call("GET", "/v1/events?limit=3");
  await call("GET", `/v1/events/${receiver.received[0]?.event.event_id}`);
}

async function managesWebhook(call: Call, id: string, receiver: Receiver, since: string): Promise<void> {
  await call("GET", `/v1/webhooks/${id}/deliveries?limit=2`);
  await call("POST", `/v1/webhooks/${id}/replay/${receiver.received[0]?.event.event_id}`);
  for (const event of TESTED) {
    await call("POST", `/v1/webhooks/${id}/test`, { event });
    await expect.poll(() => receiver.types()).toContain(event);
  }
  await call("POST", `/v1/webhooks/${id}/redeliver`, { since });
  await call("POST", `/v1/webhooks/${id}/rotate-secret`);
  await call("PATCH", `/v1/webhooks/${id}`, { events: ["transfer.confirmed"] });
  await call("DELETE", `/v1/webhooks/${id}`);
}
