import { randomUUID } from "node:crypto";
import { expect, stateOf, test } from "./fixtures";

test("a repetition gets the first response again and nothing is paid twice", async ({ alice, bob }) => {
  const headers = { "idempotency-key": randomUUID() };
  const body = { to: bob.handle, amount: "4" };
  const first = await alice.call("POST", "/v1/transfers", body, headers);
  const after = await stateOf(alice);
  const second = await alice.call("POST", "/v1/transfers", body, headers);
  expect(first.status).toBe(201);
  expect(second.status).toBe(201);
  expect(second.json).toEqual(first.json);
  expect(first.headers["idempotent-replayed"]).toBeUndefined();
  expect(second.headers["idempotent-replayed"]).toBe("true");
  expect(await stateOf(alice)).toEqual(after);
});

test("of many at once exactly one pays", async ({ alice, bob }) => {
  const headers = { "idempotency-key": randomUUID() };
  const body = { to: bob.handle, amount: "5" };
  const responses = await Promise.all(
    Array.from({ length: 6 }, () => alice.call("POST", "/v1/transfers", body, headers)),
  );
  const paid = new Set(responses.filter(({ status }) => status === 201).map(({ json }) => json.transfer_id));
  expect(paid.size).toBe(1);
  for (const { status, json } of responses.filter((one) => one.status !== 201)) {
    expect(status).toBe(409);
    expect(json.error?.code).toBe("idempotency_in_progress");
  }
});

test("422 idempotency_mismatch: the key of another request, and nothing changes", async ({ alice, bob }) => {
  const headers = { "idempotency-key": randomUUID() };
  await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" }, headers);
  const before = await stateOf(alice);
  const response = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "2" }, headers);
  expect(response.status).toBe(422);
  expect(response.json.error?.code).toBe("idempotency_mismatch");
  expect(await stateOf(alice)).toEqual(before);
});

test("a refusal leaves the key free, since nothing happened", async ({ alice, bob }) => {
  const headers = { "idempotency-key": randomUUID() };
  const refused = await alice.call("POST", "/v1/transfers", { to: "@nobody-has-this", amount: "1" }, headers);
  expect(refused.status).toBe(404);
  const paid = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" }, headers);
  expect(paid.status).toBe(201);
});

test("the key of one API key means nothing to another", async ({ alice, bob }) => {
  const headers = { "idempotency-key": randomUUID() };
  await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" }, headers);
  const response = await bob.call("POST", "/v1/transfers", { to: alice.handle, amount: "1" }, headers);
  expect(response.json.error?.code).toBe("insufficient_balance");
});

test("400: a key over 255 characters", async ({ alice, bob }) => {
  const headers = { "idempotency-key": "k".repeat(256) };
  const response = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "1" }, headers);
  expect(response.status).toBe(400);
  expect(response.json.error).toMatchObject({ code: "invalid_request", param: "Idempotency-Key" });
});
