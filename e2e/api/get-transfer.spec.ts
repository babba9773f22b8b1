import { liveKeyOf } from "../account";
import { expect, productURL, test } from "./fixtures";
import { withKey } from "./http";

test("200: both sides read a transfer, each with its direction", async ({ alice, bob }) => {
  const { json: created } = await alice.call("POST", "/v1/transfers", { to: bob.handle, amount: "3" });
  const path = `/v1/transfers/${created.transfer_id}`;
  const [sent, received] = await Promise.all([alice.call("GET", path), bob.call("GET", path)]);
  expect(sent.status).toBe(200);
  expect(sent.json).toMatchObject({
    transfer_id: created.transfer_id,
    from: alice.handle,
    to: bob.handle,
    direction: "sent",
  });
  expect(received.json).toMatchObject({ transfer_id: created.transfer_id, direction: "received" });
});

test("404, always the same: unknown, malformed, another account's and the other network's transfer", async ({
  alice,
  bob,
}) => {
  const { json: foreign } = await alice.call("POST", "/v1/transfers", {
    to: "0x00000000000000000000000000000000000a11ce",
    amount: "1",
    confidential: false,
  });
  const live = await liveKeyOf(alice);
  const target = (id: unknown) => `/v1/transfers/${id}`;
  const responses = await Promise.all([
    alice.call("GET", target("tr_01HZZZZZZZZZZZZZZZZZZZZZZZ")),
    alice.call("GET", target("not-an-id")),
    alice.call("GET", target(String(foreign.transfer_id).toLowerCase())),
    bob.call("GET", target(foreign.transfer_id)),
    withKey(productURL, live)("GET", target(foreign.transfer_id)),
  ]);
  const bodies = responses.map(({ status, json }) => ({ status, ...json.error, request_id: null }));
  expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
  expect(bodies[0]).toMatchObject({ status: 404, code: "not_found" });
});
