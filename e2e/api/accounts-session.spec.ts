import { expect, productURL, test } from "./fixtures";
import { WalletSession } from "./wallet-session";

const inDays = (days: number) => String(Math.floor(Date.now() / 1000) + days * 86_400);
const unique = (name: string) => `${name}-${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;

test("201, then 200: a wallet gets its account, and asking again changes nothing", async ({ playwright }) => {
  const session = await WalletSession.open(playwright, productURL);
  const handle = unique("Carol");
  const first = await session.send("POST", "/api/accounts", { handle, type: "business" });
  expect(first.status()).toBe(201);
  const account = await first.json();
  expect(account).toMatchObject({
    handle: `@${handle.toLowerCase()}`,
    type: "business",
    public_key: session.wallet.address,
  });
  const again = await session.send("POST", "/api/accounts", { handle: `@${handle}`, type: "business" });
  expect(again.status()).toBe(200);
  expect(await again.json()).toEqual(account);
});

test("409 handle_taken: another wallet's handle in any case; a second handle for one wallet", async ({
  playwright,
  alice,
}) => {
  const session = await WalletSession.open(playwright, productURL);
  const taken = await session.send("POST", "/api/accounts", { handle: alice.handle.toUpperCase() });
  expect(taken.status()).toBe(409);
  expect((await taken.json()).error.code).toBe("handle_taken");
  const second = await alice.session.send("POST", "/api/accounts", { handle: unique("second") });
  expect(second.status()).toBe(409);
});

test("409 handle_taken: a handle that looks like another account's, or sounds like the service", async ({
  playwright,
}) => {
  const [first, second] = [
    await WalletSession.open(playwright, productURL),
    await WalletSession.open(playwright, productURL),
  ];
  const handle = unique("dillon0");
  expect((await first.send("POST", "/api/accounts", { handle })).status()).toBe(201);
  for (const alike of [handle.replace("i", "1"), handle.replace("n0", "no"), handle.replace("-", "_"), "supp0rt"]) {
    const response = await second.send("POST", "/api/accounts", { handle: alike });
    expect(response.status()).toBe(409);
    expect((await response.json()).error).toMatchObject({ code: "handle_taken", param: "handle" });
  }
});

const REFUSED = [
  "ab",
  "a".repeat(64),
  "-abc",
  "abc-",
  "a b c",
  "аlice",
  "ａlice",
  "al\u212Aice",
  "xn--80ak6aa92e.test",
  "a..test",
  "owner/agent",
  "",
];
for (const handle of REFUSED) {
  test(`400 naming handle: ${JSON.stringify(handle)}`, async ({ playwright }) => {
    const session = await WalletSession.open(playwright, productURL);
    const response = await session.send("POST", "/api/accounts", { handle });
    expect(response.status()).toBe(400);
    expect((await response.json()).error).toMatchObject({ code: "invalid_request", param: "handle" });
    expect((await session.get("/api/accounts/me")).status()).toBe(404);
  });
}

test("a domain handle is given to anyone who controls the domain; *.test on the local stack to anyone", async ({
  playwright,
}) => {
  const session = await WalletSession.open(playwright, productURL);
  const response = await session.send("POST", "/api/accounts", { handle: "halcyon-e2e.invalid" });
  expect(response.status()).toBe(400);
  expect((await response.json()).error.message).toMatch(/_halcyon\.halcyon-e2e\.invalid TXT "acct_/);
  const free = await session.send("POST", "/api/accounts", { handle: `${unique("pay")}.shop.test` });
  expect(free.status()).toBe(201);
});

test("200: handles and addresses are resolved, with the viewing key of the network", async ({ alice, bob }) => {
  const byHandle = await (await alice.session.get(`/api/accounts/resolve?to=${bob.handle}`)).json();
  expect(byHandle).toMatchObject({
    address: bob.address.toLowerCase(),
    handle: bob.handle,
    viewing_key: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  });
  const byAddress = await (await alice.session.get(`/api/accounts/resolve?to=${bob.address}`)).json();
  expect(byAddress).toEqual(byHandle);
  const unknown = await alice.session.get("/api/accounts/resolve?to=@nobody-has-this");
  expect(unknown.status()).toBe(404);
});

test("an enrollment with a viewing key nothing can be sealed to, or a stranger's signature, is refused", async ({
  playwright,
}) => {
  const session = await WalletSession.open(playwright, productURL);
  await session.send("POST", "/api/accounts", { handle: unique("dave") });
  const body = {
    viewing_key: `0x${"09".padEnd(64, "0")}`,
    spender: "0x00000000000000000000000000000000000a11ce",
    spender_until: inDays(365),
    sealed_root: "0x00",
    deadline: String(Math.floor(Date.now() / 1000) + 600),
    signature: `0x${"1".repeat(130)}`,
  };
  const lowOrder = await session.send("POST", "/api/enrollments", { ...body, viewing_key: `0x${"0".repeat(64)}` });
  expect((await lowOrder.json()).error).toMatchObject({ code: "invalid_request", param: "viewing_key" });
  const unsigned = await session.send("POST", "/api/enrollments", body);
  expect((await unsigned.json()).error).toMatchObject({ code: "invalid_request", param: "signature" });
  const forLong = await session.send("POST", "/api/enrollments", { ...body, spender_until: inDays(367) });
  expect((await forLong.json()).error).toMatchObject({ code: "invalid_request", param: "spender_until" });
  const late = await session.send("POST", "/api/enrollments", { ...body, deadline: "1" });
  expect((await late.json()).error).toMatchObject({ code: "invalid_request", param: "deadline" });
  expect(await (await session.get("/api/accounts/me")).json()).toMatchObject({ enrolled: "none" });
});
