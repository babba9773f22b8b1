import postgres from "postgres";
import { generatePrivateKey } from "viem/accounts";
import { documentOf } from "@/test/services/api-document";
import { ChainalysisDouble } from "@/test/services/chainalysis-double";
import { startWeb, type WebProcess } from "@/test/services/start-web";
import { Halcyon } from "../../sdk/client";
import { type AgentParty, newAgent } from "./agent-fixtures";
import { expect, newParty, productURL, test, uniqueHandle } from "./fixtures";
import { onceWithKey, type RawAnswer, withKey } from "./http";
import { Recorder } from "./recorder";

/*
 * Causes every error code with a request. The responses become the reference's examples. Other tests check what the
 * refusals promise.
 */

/** An internal error, which no request can cause. */
const OF_NO_REQUEST = ["internal"];
/** An approval window and a quota short enough for a test. */
const HASTY = { APPROVAL_WINDOW_SECONDS: "1", RATE_LIMIT_PER_SECOND: "1", RATE_LIMIT_BURST: "10" };
/** A port without a database. */
const CUT_OFF = { HALCYON_PG_PORT: "9" };

let recorder: Recorder;
let agent: AgentParty;
let webs: { hasty: WebProcess; cutOff: WebProcess };
let sanctions: ChainalysisDouble;

test.describe.configure({ mode: "serial" });
test.beforeAll(async ({ alice }) => {
  recorder = new Recorder(await documentOf(productURL));
  sanctions = await ChainalysisDouble.start();
  const screening = { CHAINALYSIS_API_KEY: sanctions.apiKey, CHAINALYSIS_API_URL: sanctions.apiUrl };
  const [hasty, cutOff] = await Promise.all([startWeb({ ...HASTY, ...screening }), startWeb(CUT_OFF)]);
  webs = { hasty, cutOff };
  agent = await newAgent(alice, "40");
});
test.afterAll(() => Promise.all([...Object.values(webs ?? {}), sanctions].map((one) => one?.stop())));

async function expectCode(code: string, response: RawAnswer | Promise<RawAnswer>): Promise<void> {
  const { json, text } = await response;
  expect(json.error?.code, text).toBe(code);
}

test("a method that an address does not support", async ({ alice }) => {
  await expectCode("method_not_allowed", recorder.of(alice)("PUT", "/v1/transfers"));
});

test("requests that are wrong, or ask for what is not there", async ({ alice, bob }) => {
  const call = recorder.of(alice);
  const stranger = recorder.of({ call: withKey(productURL, "hc_test_unknown") });
  const policy = `/v1/agents/${agent.id}/spend-policy`;
  const somewhere = `0x${"7".repeat(40)}`;
  await expectCode("unauthorized", stranger("GET", "/v1/accounts/me"));
  await expectCode("invalid_request", call("POST", "/v1/transfers", { to: bob.handle }));
  await expectCode("invalid_policy", call("PATCH", policy, { daily_limit_usdg: -1 }));
  await expectCode("not_found", call("GET", "/v1/transfers/tr_00000000000000000000000000"));
  await expectCode("transaction_not_found", call("GET", "/v1/agents/transactions/txn_00000000000000000000000000"));
  await expectCode("recipient_not_found", call("POST", "/v1/transfers", { to: "@nobody-has-this", amount: "1.00" }));
  await expectCode(
    "recipient_not_confidential_ready",
    call("POST", "/v1/transfers", { to: somewhere, amount: "1.00" }),
  );
  const name = agent.handle.split("/")[1];
  await expectCode("handle_taken", call("POST", "/v1/accounts/me/agents", { name }));
  const { payment_request_id: id } = await bob.client.paymentRequests.create({ amount: "1" });
  await bob.client.paymentRequests.cancel(id);
  const payment = { to: bob.address, amount: "1.00", payment_request: id, binding: `0x${"0".repeat(64)}` };
  await expectCode("payment_request_closed", call("POST", "/v1/transfers", payment));
  await expectCode("decryption_proof_invalid", call("POST", "/v1/accounts/me/balances", { decryption_proof: "AAAA" }));
});

test("requests that someone else, or no one, may make", async ({ alice, bob }) => {
  const byAgent = recorder.of(agent);
  await expectCode("not_agent_owner", recorder.of(bob)("GET", `/v1/agents/${agent.id}/spend-policy`));
  await expectCode("key_forbidden", byAgent("GET", "/v1/webhooks"));
  await expectCode("policy_violation", byAgent("POST", "/v1/transfers", { to: bob.handle, amount: "60.00" }));
  await expectCode(
    "insufficient_balance",
    recorder.of(bob)("POST", "/v1/transfers", { to: alice.handle, amount: "1000.00" }),
  );
  const newcomer = new Halcyon({ url: productURL, walletKey: generatePrivateKey() });
  await newcomer.account.create({ handle: uniqueHandle("new") });
  const { api_key } = await newcomer.keys.create({ label: "first" });
  await expectCode(
    "kyc_required",
    recorder.of({ call: withKey(productURL, api_key) })("GET", "/v1/accounts/me/balances"),
  );
  const hasty = recorder.of({ call: onceWithKey(webs.hasty.url, api_key) });
  const responses = await Promise.all(Array.from({ length: 40 }, () => hasty("GET", "/v1/accounts/me")));
  await expectCode("rate_limited", responses.find(({ status }) => status !== 200) as RawAnswer);
});

test("references that are in use, and refunds that can't be made", async ({ alice, bob }) => {
  const call = recorder.of(alice);
  const pay = { to: bob.handle, amount: "1.00", reference: uniqueHandle("order"), unique_reference: true };
  const sent = await call("POST", "/v1/transfers", pay);
  expect(sent.status, sent.text).toBe(201);
  await expectCode("reference_in_use", call("POST", "/v1/transfers", pay));
  const sentId = sent.json.transfer_id;
  await expectCode("refund_not_possible", call("POST", "/v1/transfers", { refund_of: sentId, amount: "1.00" }));
  const byBob = recorder.of(bob);
  await expect.poll(async () => (await byBob("GET", `/v1/transfers/${sentId}`)).json.status).toBe("confirmed");
  const refund = { refund_of: sentId, amount: "0.10", refunds_counted: 7 };
  await expectCode("refund_conflict", byBob("POST", "/v1/transfers", refund));
});

test("requests that come twice", async ({ alice, bob }) => {
  const call = recorder.of(alice);
  const headers = { "idempotency-key": uniqueHandle("invoice") };
  const pay = (amount: string) => call("POST", "/v1/transfers", { to: bob.handle, amount }, headers);
  // While the owner's client holds the lock, payments wait, so the first request is still being served.
  const { lock_token } = await (await alice.session.send("POST", "/api/available-balances/lock")).json();
  const both = [pay("1.00"), pay("1.00")];
  await expectCode("idempotency_in_progress", Promise.race(both));
  await alice.session.send("DELETE", "/api/available-balances/lock", { lock_token });
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409]);
  await expectCode("idempotency_mismatch", pay("2.00"));
});

test("requests for a schedule that is not due, and for another version of it", async ({ alice, bob }) => {
  const call = recorder.of(alice);
  const rule = { frequency: "yearly", start: "2100-01-01" };
  const { json } = await call("POST", "/v1/schedules", { rule, payments: [{ to: bob.handle, amount: "1.00" }] });
  const path = `/v1/schedules/${json.schedule_id}`;
  const { run_id } = json.next_run as { run_id: string };
  await expectCode("run_not_payable", call("POST", `${path}/runs/${run_id}/pay`, {}));
  await expectCode("schedule_changed", call("PATCH", path, { status: "paused", version: 7 }));
  expect((await call("DELETE", path)).status).toBe(204);
});

test("requests that come too late", async ({ alice, bob }, info) => {
  const call = recorder.of(alice);
  const held = await onceWithKey(webs.hasty.url, agent.apiKey)("POST", "/v1/transfers", {
    to: bob.handle,
    amount: "11.00",
  });
  const { transaction_id, expires_at } = held.json;
  await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(String(expires_at)));
  await expectCode("transaction_expired", call("POST", `/v1/agents/transactions/${transaction_id}/approve`));

  const device = new Halcyon({
    url: productURL,
    walletKey: alice.walletKey,
    configDir: info.outputPath("config"),
  });
  const signed = await device.transfers.prepare({ to: bob.handle, amount: "1" });
  expect((await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1.00" })).status).toBe(201);
  await expectCode("available_balance_changed", call("POST", "/v1/transfers", signed));
});

test("a payment under a policy that its owner's wallet has not signed", async ({ playwright, bob }) => {
  const carol = await newParty(playwright, "carol", "2");
  await carol.client.security.setGuard(true);
  const call = recorder.of(carol);
  const limits = { daily_limit_usdg: 5, per_transaction_limit_usdg: 5, hitl_threshold_usdg: 5 };
  const spend_policy = { ...limits, allowed_recipients: [bob.handle] };
  const { json } = await call("POST", "/v1/accounts/me/agents", { name: "buyer", spend_policy });
  const payment = { from: json.handle, to: bob.handle, amount: "1.00" };
  await expectCode("policy_not_in_force", call("POST", "/v1/transfers", payment));
});

test("a payment after the owner has acted on chain without the service", async ({ playwright, bob }) => {
  const carla = await newParty(playwright, "carla", "2");
  await carla.client.testHelpers.faucet({ asset: "ETH", amount: "0.1" });
  const { rpc_url, ledger } = await (await carla.session.get("/api/network")).json();
  await carla.client.recovery.run({ rpc: rpc_url, ledger, to: carla.address });
  const noticed = async () =>
    (await (await carla.session.get("/api/ledger?asset=USDG")).json()).available.sync_required;
  await expect.poll(noticed).toBe(true);
  await expectCode("sync_required", recorder.of(carla)("POST", "/v1/transfers", { to: bob.handle, amount: "1.00" }));
});

test("a payment under a policy that someone wrote into the database", async ({ alice, bob }) => {
  const { id, call } = await newAgent(alice, "20");
  const sql = postgres(process.env.DATABASE_URL ?? "", { max: 1 });
  expect(
    await sql`update spend_policies set hitl_threshold = 50000000 where holder_id = ${id} returning id`,
  ).toHaveLength(1);
  await sql.end();
  const payment = { to: bob.handle, amount: "11.00" };
  await expectCode("policy_not_in_force", recorder.of({ call })("POST", "/v1/transfers", payment));
});

test("a public payment on the live network to a sanctioned address", async () => {
  const somewhere = `0x${"9".repeat(40)}`;
  sanctions.listed.add(somewhere);
  const client = new Halcyon({ url: productURL, walletKey: generatePrivateKey(), network: "live" });
  await client.account.create({ handle: uniqueHandle("screened") });
  await client.account.verifyIdentity();
  const { api_key } = await client.keys.create({ label: "live" });
  const live = recorder.of({ call: onceWithKey(webs.hasty.url, api_key) });
  const payment = { to: somewhere, amount: "1.00", confidential: false };
  await expectCode("recipient_blocked", live("POST", "/v1/transfers", payment));
});

test("a request while the database is away", async ({ alice }) => {
  const cutOff = recorder.of({ call: onceWithKey(webs.cutOff.url, alice.apiKey) });
  await expectCode("unavailable", cutOff("GET", "/v1/accounts/me"));
});

test("of every code of the contract there is an example", async () => {
  const { document } = await documentOf(productURL);
  const codes = document.components.schemas.Error?.properties?.error?.properties?.code?.enum ?? [];
  expect(codes).toContain("unauthorized");
  expect([...recorder.errors.keys(), ...OF_NO_REQUEST].sort()).toEqual([...codes].sort());
  recorder.write("errors");
});
