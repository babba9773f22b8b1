import { expect, productURL, settled, stateOf, test } from "./fixtures";
import { raw } from "./http";

const FIELDS = [
  "transfer_id",
  "status",
  "from",
  "to",
  "direction",
  "asset",
  "confidential",
  "tx_hash",
  "created_at",
  "confirmed_at",
  "reference",
  "refund_of",
  "payment_request",
  "payout",
  "schedule_run",
  "checked",
];

test("201: pays confidentially and is confirmed; the response holds no amount", async ({ alice, bob }) => {
  const response = await alice.call("POST", "/v1/transfers", {
    to: bob.handle,
    amount: "13.371337",
    memo: "canary-memo",
  });
  expect(response.status).toBe(201);
  expect(Object.keys(response.json).sort()).toEqual([...FIELDS].sort());
  expect(response.json).toMatchObject({
    status: "pending",
    to: bob.handle,
    from: alice.handle,
    confidential: true,
    confirmed_at: null,
  });
  // The seconds of a time, which may be the same digits, follow a colon.
  expect(response.text).not.toMatch(/(?<!:)13\.37|13371337|canary-memo/);
  expect(response.headers["cache-control"]).toBe("no-store");
  expect(response.headers["x-request-id"]).toMatch(/^req_/);
  const final = await settled(alice, String(response.json.transfer_id));
  expect(final).toMatchObject({ status: "confirmed", confirmed_at: expect.stringMatching(/Z$/) });
});

test("201: a body sent by plain curl, which calls it a form, is read as JSON", async ({ alice, bob }) => {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const response = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" }, headers);
  expect(response.status).toBe(201);
});

test("201: pays in public to an address without account", async ({ alice }) => {
  const to = "0x00000000000000000000000000000000000a11ce";
  const response = await alice.call("POST", "/v1/transfers", { to, amount: "2", confidential: false, memo: "public" });
  expect(response.status).toBe(201);
  expect(response.json).toMatchObject({ to, confidential: false });
});

const AMOUNTS = [
  "0",
  "-1",
  "+1",
  "1e3",
  " 1",
  "1 ",
  "1.",
  ".5",
  "01",
  "1,0",
  "0x10",
  "１",
  "1.0000001",
  "18446744073709.551616",
  "",
  "NaN",
  "0.0",
];
const OVERSIZE = "a".repeat(65_537);

const REFUSED: [title: string, body: unknown, status: number, code: string, param: string][] = [
  ...AMOUNTS.map((amount): [string, unknown, number, string, string] => [
    `amount ${JSON.stringify(amount)}`,
    { amount },
    400,
    "invalid_request",
    "amount",
  ]),
  ["number as amount", { amount: 25 }, 400, "invalid_request", "amount"],
  ["no amount", { amount: undefined }, 400, "invalid_request", "amount"],
  ["no recipient", { to: undefined }, 400, "invalid_request", "to"],
  ["handle without @", { to: "bob" }, 400, "invalid_request", "to"],
  ["unknown field", { colour: "red" }, 400, "invalid_request", "colour"],
  ["unknown asset", { asset: "DOGE" }, 400, "invalid_request", "asset"],
  ["text as confidential", { confidential: "yes" }, 400, "invalid_request", "confidential"],
  ["memo of 513 bytes", { memo: `${"é".repeat(256)}x` }, 400, "invalid_request", "memo"],
  ["memo with a lone surrogate", { memo: "\ud800" }, 400, "invalid_request", "memo"],
  ["unknown handle", { to: "@nobody-has-this" }, 404, "recipient_not_found", "to"],
  ["address with a wrong checksum", { to: "0x5FC5360D0400a0Fd4f2af552ADD042D716F1d168" }, 400, "invalid_request", "to"],
  [
    "address that is not enrolled",
    { to: "0x00000000000000000000000000000000000a11ce" },
    422,
    "recipient_not_confidential_ready",
    "to",
  ],
  ["amount over the budget", { amount: "100000" }, 402, "insufficient_balance", ""],
];

for (const [title, change, status, code, param] of REFUSED) {
  test(`${status} ${code}, and nothing changes: ${title}`, async ({ alice, bob }) => {
    const before = await stateOf(alice);
    const response = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1", ...(change as object) });
    expect(response.json.error).toMatchObject({ code, ...(code === "invalid_request" ? { param } : {}) });
    expect(response.status).toBe(status);
    expect(await stateOf(alice)).toEqual(before);
  });
}

for (const which of ["handle", "address"] as const) {
  test(`400 invalid_request, and nothing changes: one's own ${which}`, async ({ alice }) => {
    const before = await stateOf(alice);
    const response = await alice.call("POST", "/v1/transfers", { to: alice[which], amount: "1" });
    expect(response.status).toBe(400);
    expect(response.json.error).toMatchObject({ code: "invalid_request", param: "to" });
    expect(await stateOf(alice)).toEqual(before);
  });
}

for (const which of ["ledger", "USDG", "ETH"] as const) {
  test(`400 invalid_request, and nothing changes: in public to the contract of ${which}`, async ({ alice }) => {
    const network = await (await alice.session.get("/api/network")).json();
    const assets: { symbol: string; address: string }[] = network.assets;
    const to = which === "ledger" ? network.ledger : assets.find(({ symbol }) => symbol === which)?.address;
    const before = await stateOf(alice);
    const response = await alice.call("POST", "/v1/transfers", { to, amount: "1", confidential: false });
    expect(response.status).toBe(400);
    expect(response.json.error).toMatchObject({ code: "invalid_request", param: "to" });
    await expect(alice.client.withdrawals.create({ to, amount: "1" })).rejects.toMatchObject({
      code: "invalid_request",
    });
    expect(await stateOf(alice)).toEqual(before);
  });
}

const BODIES: [title: string, body: string, status: number, headers: Record<string, string>][] = [
  ["malformed JSON", '{"to": ', 400, {}],
  ["an array", '[{"to":"@bob"}]', 400, {}],
  ["a string", '"hello"', 400, {}],
  ["null", "null", 400, {}],
  ["nothing", "", 400, {}],
  ["a body over 64 KiB", JSON.stringify({ memo: OVERSIZE }), 413, {}],
  ["multipart", "--x\r\n\r\n--x--", 415, { "content-type": "multipart/form-data; boundary=x" }],
];

for (const [title, body, status, headers] of BODIES) {
  test(`${status} invalid_request, and nothing changes: ${title}`, async ({ alice }) => {
    const before = await stateOf(alice);
    const response = await alice.call("POST", "/v1/transfers", body, headers);
    expect(response.status).toBe(status);
    expect(response.json.error?.code).toBe("invalid_request");
    if (status === 400) expect(response.json.error?.param).toBeTruthy();
    expect(await stateOf(alice)).toEqual(before);
  });
}

test("a body that is not UTF-8 is refused", async ({ alice }) => {
  const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
  const headers = { authorization: `Bearer ${alice.apiKey}` };
  const response = await raw(productURL, "/v1/transfers", { method: "POST", headers, body });
  expect(response.status).toBe(400);
  expect(response.json.error?.code).toBe("invalid_request");
});
