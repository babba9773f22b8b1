import { randomBytes } from "node:crypto";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keyCaller, type RouteCall, sessionCaller } from "@/test/accounts/api-caller";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";

const CHAIN = 46630;
let services: SharedServices;
beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

const unique = (name: string) => `${name}-${randomBytes(5).toString("hex")}`;
/** Signs in with a wallet that has no account. */
async function newcomer(): Promise<{ wallet: ReturnType<typeof privateKeyToAccount>; call: RouteCall }> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  return { wallet, call: await sessionCaller(wallet) };
}
const inDays = (days: number) => String(Math.floor(Date.now() / 1000) + days * 86_400);
const hexOf = (bytes: number) => `0x${"09".repeat(bytes)}`;

test("a wallet gets its account once: asking again changes nothing, and another handle is not for it", async () => {
  const { wallet, call } = await newcomer();
  const handle = unique("Carol");
  const first = await call("POST", "/api/accounts", { handle, type: "business" });
  expect([first.status, first.json]).toMatchObject([
    201,
    { handle: `@${handle.toLowerCase()}`, type: "business", public_key: wallet.address },
  ]);
  const again = await call("POST", "/api/accounts", { handle: `@${handle}`, type: "business" });
  expect([again.status, again.json]).toEqual([200, first.json]);
  const second = await call("POST", "/api/accounts", { handle: unique("second") });
  expect([second.status, second.json.error?.code]).toEqual([409, "handle_taken"]);
});

test("a handle is taken in any case, if it looks like another account's, and if it sounds like the service", async () => {
  const [{ call: first }, { call: second }] = [await newcomer(), await newcomer()];
  const handle = unique("dillon0");
  expect((await first("POST", "/api/accounts", { handle })).status).toBe(201);
  const alike = [handle.toUpperCase(), handle.replace("i", "1"), handle.replace("n0", "no"), handle.replace("-", "_")];
  for (const taken of [...alike, "supp0rt"]) {
    const { status, json } = await second("POST", "/api/accounts", { handle: taken });
    expect([status, json.error], taken).toMatchObject([409, { code: "handle_taken", param: "handle" }]);
  }
});

test("what is no handle is refused, and there is no account", async () => {
  const { call } = await newcomer();
  for (const handle of ["ab", "a b c", "\u0430lice", "owner/agent"]) {
    const { status, json } = await call("POST", "/api/accounts", { handle });
    expect([status, json.error]).toMatchObject([400, { code: "invalid_request", param: "handle" }]);
  }
  expect((await call("GET", "/v1/accounts/me?include=ledger")).status).toBe(404);
});

test("a domain is the handle of who controls it, and one of .test on the local stack of anyone", async () => {
  const { call } = await newcomer();
  const refused = await call("POST", "/api/accounts", { handle: "halcyon-test.invalid" });
  expect(refused.status).toBe(400);
  expect(refused.json.error?.message).toMatch(/_halcyon\.halcyon-test\.invalid TXT "acct_/);
  expect((await call("POST", "/api/accounts", { handle: `${unique("pay")}.shop.test` })).status).toBe(201);
});

test("an account is resolved by handle and by address; a handle that no one has is not found", async () => {
  const [alice, bob] = [await Owner.create(CHAIN), await Owner.create(CHAIN)];
  const call = await sessionCaller(alice);
  const byHandle = await call("GET", `/api/accounts/resolve?to=@${bob.account.handle}`);
  const known = { address: bob.address, handle: `@${bob.account.handle}`, viewing_key: null };
  expect([byHandle.status, byHandle.json]).toEqual([200, known]);
  expect((await call("GET", `/api/accounts/resolve?to=${bob.address}`)).json).toEqual(known);
  expect((await call("GET", "/api/accounts/resolve?to=@nobody-has-this")).status).toBe(404);
});

test("an enrollment with a viewing key nothing can be encrypted to, another's signature or wrong times is refused", async () => {
  const owner = await Owner.create(CHAIN);
  const call = await sessionCaller(owner);
  const body = {
    ...{
      viewing_key: hexOf(32),
      payment_key: "0x00000000000000000000000000000000000a11ce",
      encrypted_account_key: "0x00",
    },
    ...{ payment_key_until: inDays(365), deadline: inDays(0.01).split(".")[0], signature: `0x${"1".repeat(130)}` },
  };
  for (const [param, change] of [
    ["viewing_key", { viewing_key: `0x${"0".repeat(64)}` }],
    ["signature", {}],
    ["payment_key_until", { payment_key_until: inDays(367) }],
    ["deadline", { deadline: "1" }],
  ] as const) {
    const { status, json } = await call("POST", "/api/enrollments", { ...body, ...change });
    expect([status, json.error], param).toMatchObject([400, { code: "invalid_request", param }]);
  }
  expect((await call("GET", "/v1/accounts/me?include=ledger")).json).toMatchObject({ enrolled: "none" });
});

test("the sandbox's magic names end a verification otherwise", async () => {
  const owner = await Owner.create(CHAIN);
  const call = await sessionCaller(owner);
  const byKey = (await keyCaller(owner.session)).call;
  for (const [full_name, kyc_status] of [
    ["Sandbox Pending", "pending"],
    ["Sandbox Enhanced", "enhanced"],
    ["Sandbox Rejected", "unverified"],
    [undefined, "verified"],
  ]) {
    expect((await call("POST", "/api/kyc/verify", { full_name })).json).toEqual({ kyc_status });
    expect((await byKey("GET", "/v1/accounts/me")).json).toMatchObject({ kyc_status });
  }
});

test("balances are proven by a text in its own field", async () => {
  const { call } = await keyCaller((await Owner.create(CHAIN)).session);
  for (const [body, param] of [
    [{ decryption_proof: 7 }, "decryption_proof"],
    [{ proof: "x" }, "proof"],
    ["[]", "body"],
  ] as const) {
    const { status, json } = await call("POST", "/v1/accounts/me/balances", body);
    expect([status, json.error]).toMatchObject([400, { code: "invalid_request", param }]);
  }
});

test("the faucet gives up to 10,000,000 at a time", async () => {
  const call = await sessionCaller(await Owner.create(CHAIN));
  const { status, json } = await call("POST", "/api/faucet", { amount: "10000000.000001" });
  expect([status, json.error]).toMatchObject([400, { code: "invalid_request", param: "amount" }]);
});

test("the settings of an account are its owner's to change, each by itself, and each change is logged once", async () => {
  const [owner, other] = [await Owner.create(CHAIN), await Owner.create(CHAIN)];
  const [call, byOther] = [await sessionCaller(owner), await sessionCaller(other)];
  const { id } = await keyCaller(owner.session);
  const [me, settings] = ["/v1/accounts/me?include=ledger", "/api/account-settings"];
  for (const [param, body] of [
    ["strict", { strict: "yes" }],
    ["batch_payments", { batch_payments: 0 }],
    ["body", {}],
  ] as const) {
    const { status, json } = await call("PATCH", settings, body);
    expect([status, json.error?.param]).toEqual([400, param]);
  }
  for (const change of [{ strict: true }, { strict: false }, { batch_payments: false }, { batch_payments: true }]) {
    const before = (await call("GET", me)).json;
    expect((await call("PATCH", settings, change)).json).toEqual({ ...before, ...change });
  }
  const ofKey = (await (await keyCaller(owner.session)).call("GET", me)).json;
  expect(ofKey).toEqual({ ...(await call("GET", me)).json, key: { key_id: expect.any(String), scopes: null } });
  expect((await byOther("GET", me)).json).toMatchObject({ strict: false, batch_payments: true });
  const logged = async (action: string) => {
    const { json } = await call("GET", `/v1/audit-log?action=account.${action}`);
    return (json.entries as { after: unknown }[]).map(({ after }) => after);
  };
  expect(await logged("strict_changed")).toEqual([{ strict: false }, { strict: true, keys: [id] }]);
  expect(await logged("batch_payments_changed")).toEqual([{ batch_payments: true }, { batch_payments: false }]);
});
