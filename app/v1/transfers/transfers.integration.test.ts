import { zeroAddress } from "viem";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { assetBySymbol, assetsOf } from "@/lib/base/assets";
import { scopeOf } from "@/lib/chain/scope-of";
import { verifiersOf } from "@/lib/chain/verifiers-of";
import { BATCH_COPY_LENGTH } from "@/lib/ledger/encrypted/batch-copy";
import { RECIPIENT_COPY_LENGTH } from "@/lib/ledger/encrypted/recipient-copy";
import { insertAgent } from "@/test/accounts/agent-row";
import { keyCaller, type RouteCall, sessionCaller } from "@/test/accounts/api-caller";
import { Owner } from "@/test/accounts/owner";
import { everythingStored } from "@/test/services/everything-stored";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";

const CHAIN = 46630;
const STRANGER = "0x00000000000000000000000000000000000a11ce";
let services: SharedServices;
let owner: Owner;
let bob: Owner;
let call: RouteCall;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  [owner, bob] = await Promise.all([Owner.create(CHAIN), Owner.create(CHAIN)]);
  ({ call } = await keyCaller(owner.session));
});

/** Sends a payment of 1 USDG to bob with these changes, and expects that it is refused and leaves nothing. */
async function refused(change: object | string, error: object, by = call, query = ""): Promise<void> {
  const before = await everythingStored();
  const body = typeof change === "string" ? change : { to: `@${bob.account.handle}`, amount: "1", ...change };
  const response = await by("POST", `/v1/transfers${query}`, body);
  expect([response.status, response.json.error], JSON.stringify(change)).toMatchObject(error);
  expect(await everythingStored()).toEqual(before);
}

/** Returns a client-signed public payment in the right form, signed by no one and proving nothing. */
function publicPayment(account: string, to: string, asset: string) {
  const word = hexOf(32);
  return {
    ...{ kind: "release", account, to, asset, old_available: word, new_available: word, amount: "1", payment_id: word },
    ...{ policy_version: "0", deadline: String(Math.floor(Date.now() / 1000) + 3_600) },
    ...{ payer_ciphertext: hexOf(124), next_state: { encrypted: hexOf(93), flag: hexOf(41) } },
    ...{ proof: hexOf(256), signature: hexOf(65) },
  };
}
const hexOf = (bytes: number) => `0x${"11".repeat(bytes)}`;

test("a payment that is wrong is refused by the name of its field, and nothing changes", async () => {
  const wrong: [param: string, change: object | string][] = [
    ...["0", "1e3", "1.0000001", 25, null].map((amount): [string, object] => ["amount", { amount }]),
    ["amount", { amount: undefined }],
    ["to", { to: undefined }],
    ["to", { to: "bob" }],
    ["to", { to: "0x5FC5360D0400a0Fd4f2af552ADD042D716F1d168" }],
    ["from", { from: "@a//b" }],
    ["colour", { colour: "red" }],
    ["asset", { asset: "DOGE" }],
    ["confidential", { confidential: "yes" }],
    ["memo", { memo: `${"é".repeat(256)}x` }],
    ...['{"to": ', '[{"to":"@bob"}]', '"hello"', "null", ""].map((body): [string, string] => ["body", body]),
  ];
  for (const [param, change] of wrong) await refused(change, [400, { code: "invalid_request", param }]);
  await refused({}, [400, { code: "invalid_request", param: "dry_run" }], call, "?dry_run=perhaps");
});

test("a recipient that no one is, or that can't be paid confidentially, is refused, in a dry run too", async () => {
  await refused({ to: "@nobody-has-this" }, [404, { code: "recipient_not_found" }]);
  await refused({ to: STRANGER }, [422, { code: "recipient_not_confidential_ready" }]);
  // A dry run looks for the recipient as well.
  await refused({ to: "@nobody-has-this" }, [404, { code: "recipient_not_found" }], call, "?dry_run=true");
  await refused({ to: STRANGER }, [422, { code: "recipient_not_confidential_ready" }], call, "?dry_run=true");
});

test("no public payment and no withdrawal goes to a contract that would keep it: the ledger, its verifiers, the assets", async () => {
  const bySession = await sessionCaller(owner);
  const usdg = assetBySymbol(CHAIN).address;
  const { ledger } = await scopeOf(CHAIN);
  const verifiers = Object.values(await verifiersOf(CHAIN));
  for (const to of [ledger, ...assetsOf(CHAIN).map(({ address }) => address), ...verifiers]) {
    const unspendable = [400, { code: "invalid_request", param: "to" }];
    await refused({ to, confidential: false }, unspendable);
    const document = publicPayment(owner.address, to.toLowerCase(), usdg);
    const { status, json } = await bySession("POST", "/api/withdrawals", { client_signed: document });
    expect([status, json.error], to).toMatchObject(unspendable);
  }
});

test("the payer is the key's account or one of its agents: all others are refused, in a dry run too", async () => {
  const [mine, sibling, foreign] = [await insertAgent(owner), await insertAgent(owner), await insertAgent(bob)];
  const notOwner = [403, { code: "not_agent_owner" }];
  for (const query of ["", "?dry_run=true"]) {
    for (const from of [`@${foreign.handle}`, `@${bob.account.handle}/nothing`, `@${bob.account.handle}`, "@no/one"]) {
      await refused({ from }, notOwner, call, query);
    }
    await refused({ from: `@${owner.account.handle}/nothing` }, [404, { code: "not_found" }], call, query);
    const ofAgent = await keyCaller({ ...owner.session, account: mine });
    for (const from of [owner.account.handle, sibling.handle, foreign.handle]) {
      await refused({ from: `@${from}` }, notOwner, ofAgent.call, query);
    }
  }
});

test("a client-signed payment is no dry run's, and no agent's key sends one, whatever the document", async () => {
  const agent = await insertAgent(owner);
  const document = publicPayment(agent.address, bob.address, zeroAddress);
  const body = { amount: undefined, asset: "ETH", confidential: false, client_signed: document };
  const ofAgent = await keyCaller({ ...owner.session, account: agent });
  await refused(body, [403, { code: "key_forbidden" }], ofAgent.call);
  await refused(body, [400, { param: "client_signed" }], call, "?dry_run=true");
});

test("payments that share a proof are signed by a session or built with a home key, and nothing else is beside them", async () => {
  const word = hexOf(32);
  const payment = { to: bob.address, note: word, recipient_ciphertext: hexOf(RECIPIENT_COPY_LENGTH) };
  const signed = {
    ...{ kind: "transfer_many", account: owner.address, asset: zeroAddress, old_available: word, new_available: word },
    ...{ deadline: String(Math.floor(Date.now() / 1000) + 3_600), policy_version: "0", payments: [payment, payment] },
    ...{ next_state: { encrypted: hexOf(93), flag: hexOf(41) }, payer_ciphertext: hexOf(BATCH_COPY_LENGTH) },
    ...{ proof: hexOf(256), signature: hexOf(65) },
  };
  const payments = [{ to: bob.address }, { to: bob.address }];
  const body = { asset: "ETH", payments, client_signed: signed };
  const bySession = await sessionCaller(owner);
  const before = await everythingStored();
  for (const [by, sent, error] of [
    [call, {}, [400, { param: "client_signed" }]],
    [bySession, {}, [400, { param: "client_signed" }]],
    [bySession, { ...body, payments: undefined }, [400, { param: "payments" }]],
    [call, body, [400, { param: "client_signed" }]],
  ] as const) {
    const { status, json } = await by("POST", "/v1/transfers/batch", sent);
    expect([status, json.error], JSON.stringify(json)).toMatchObject(error);
  }
  for (const [by, message] of [
    [call, "Each payment has its own idempotency_key"],
    [bySession, "An Idempotency-Key needs an API key"],
  ] as const) {
    const { status, json } = await by("POST", "/v1/transfers/batch", body, { "idempotency-key": "wages-1" });
    expect([status, json.error?.param]).toEqual([400, "Idempotency-Key"]);
    expect(json.error?.message).toContain(message);
  }
  expect(await everythingStored()).toEqual(before);
});

test("on the live network nothing is paid, and no balance read, before the identity is verified", async () => {
  const live = await keyCaller({ ...owner.session, network: "live", chainId: 4663 });
  await refused({}, [403, { code: "kyc_required" }], live.call);
  const balances = await live.call("GET", "/v1/accounts/me/balances");
  expect([balances.status, balances.json.error?.code]).toEqual([403, "kyc_required"]);
});
