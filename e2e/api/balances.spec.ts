import { liveKeyOf } from "../account";
import { newAgent } from "./agent-fixtures";
import { expect, productURL, stateOf, test } from "./fixtures";
import { raw } from "./http";

const PATH = "/v1/accounts/me/balances";

test("200: without a proof only whether there is anything", async ({ alice }) => {
  for (const method of ["GET", "POST"]) {
    const response = await alice.call(method, PATH);
    expect(response.status).toBe(200);
    expect(response.json).toEqual({ balances: [{ asset: "USDG", above_zero: true }] });
  }
});

test("200: a GET with a body, as curl sends it, and POST return what a proof proves", async ({ alice }) => {
  const { decryption_proof } = await alice.client.balances.prove();
  for (const method of ["GET", "POST"]) {
    const response = await alice.call(method, PATH, { decryption_proof });
    expect(response.status).toBe(200);
    expect(response.json).toMatchObject({
      balances: [{ asset: "USDG", amount: expect.stringMatching(/^\d+(\.\d*[1-9])?$/) }],
      unopened_notes: 0,
    });
  }
});

test("an agent's key sees its agent alone: above zero, what its owner proves of it, and 422 for the owner's own proof", async ({
  alice,
}) => {
  const agent = await newAgent(alice, "7.5");
  expect((await agent.call("GET", PATH)).json).toEqual({ balances: [{ asset: "USDG", above_zero: true }] });
  const empty = await newAgent(alice, "0");
  expect((await empty.call("GET", PATH)).text).not.toContain('"above_zero":true');
  const { decryption_proof } = await alice.client.balances.prove({ agent: agent.handle });
  const proven = await agent.call("POST", PATH, { decryption_proof });
  expect(proven.json).toEqual({ balances: [{ asset: "USDG", amount: "7.5" }], unopened_notes: 0 });
  const owners = await alice.client.balances.prove();
  expect(await agent.call("POST", PATH, owners)).toMatchObject({
    status: 422,
    json: { error: { code: "decryption_proof_invalid" } },
  });
});

test("422, and nothing changes: tampered, foreign, stale, truncated and empty proofs", async ({ alice, bob }) => {
  const before = await stateOf(alice);
  const { decryption_proof: good } = await alice.client.balances.prove();
  const { decryption_proof: foreign } = await bob.client.balances.prove();
  const change = (edit: (document: Record<string, unknown>) => object) =>
    btoa(JSON.stringify(edit(JSON.parse(atob(good)) as Record<string, unknown>)));
  const proofs = {
    tampered: change((document) => {
      const [first, ...others] = document.proofs as { total: string }[];
      return { ...document, proofs: [{ ...first, total: `${BigInt(first?.total ?? 0) + 1n}` }, ...others] };
    }),
    foreign,
    stale: change((document) => ({ ...document, issued_at: `${Number(document.issued_at) - 601}` })),
    redated: change((document) => ({ ...document, issued_at: `${Number(document.issued_at) - 1}` })),
    truncated: good.slice(0, -8),
    empty: "",
    "no base64": "%%%",
  };
  for (const [name, decryption_proof] of Object.entries(proofs)) {
    const response = await alice.call("POST", PATH, { decryption_proof });
    expect(response.status, name).toBe(422);
    expect(response.json.error?.code, name).toBe("decryption_proof_invalid");
    expect(response.text, name).not.toContain("amount");
  }
  expect(await stateOf(alice)).toEqual(before);
});

test("400: a proof that is not a string, an unknown field, a body that is no object", async ({ alice }) => {
  for (const [body, param] of [
    [{ decryption_proof: 7 }, "decryption_proof"],
    [{ proof: "x" }, "proof"],
    ["[]", "body"],
  ] as const) {
    const response = await alice.call("GET", PATH, body);
    expect(response.status).toBe(400);
    expect(response.json.error).toMatchObject({ code: "invalid_request", param });
  }
});

test("413: a GET body over 64 KiB", async ({ alice }) => {
  const headers = { authorization: `Bearer ${alice.apiKey}` };
  const body = JSON.stringify({ decryption_proof: "A".repeat(70_000) });
  expect((await raw(productURL, PATH, { headers, body })).status).toBe(413);
});

test("403 kyc_required: before identity is verified on the key's network", async ({ bob }) => {
  const api_key = await liveKeyOf(bob);
  const headers = { authorization: `Bearer ${api_key}` };
  const response = await raw(productURL, PATH, { headers });
  expect(response.status).toBe(403);
  expect(response.json.error?.code).toBe("kyc_required");
});
