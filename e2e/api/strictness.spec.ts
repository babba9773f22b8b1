import { createPublicClient, http, parseAbi } from "viem";
import { documentOf } from "@/test/services/api-document";
import { expect, productURL, stateOf, test } from "./fixtures";
import { raw } from "./http";

/* Requests with mistakes are refused instead of being interpreted as something else (docs/guides/api.md). */

const VERIFIERS = ["transferVerifier", "releaseVerifier", "fundVerifier", "allocateVerifier"] as const;
const VERIFIERS_ABI = parseAbi([
  "function transferVerifier() view returns (address)",
  "function releaseVerifier() view returns (address)",
  "function fundVerifier() view returns (address)",
  "function allocateVerifier() view returns (address)",
]);

interface Described {
  parameters?: { name: string; in: string; example?: string }[];
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
}

test("every operation refuses a query parameter that it does not know", async ({ alice }) => {
  const { document } = await documentOf(productURL);
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods) as [string, Described][]) {
      const named = operation.parameters?.filter(({ example }) => example !== undefined) ?? [];
      const target = named.reduce((text, { name, example = "" }) => text.replace(`{${name}}`, example), path);
      // The body is checked first, so send a valid one.
      const [body] = Object.values(operation.requestBody?.content["application/json"]?.examples ?? {});
      const response = await alice.call(method.toUpperCase(), `${target}?nope=1`, body?.value);
      expect(response.status, `${method} ${path}`).toBe(400);
      expect(response.json.error, `${method} ${path}`).toMatchObject({ code: "invalid_request", param: "nope" });
    }
  }
});

test("every POST without a body refuses the fields of one, and takes an empty object", async ({ alice }) => {
  const { document } = await documentOf(productURL);
  for (const [path, methods] of Object.entries(document.paths)) {
    const post = methods.post as Described | undefined;
    if (!post || post.requestBody) continue;
    const target = path.replace(/\{(\w+)_id\}/g, "nothing");
    const refused = await alice.call("POST", target, { amount: "1" });
    expect(refused.json.error, path).toMatchObject({ code: "invalid_request", param: "amount" });
    expect((await alice.call("POST", target, {})).status, path).toBe(404);
  }
});

test("a body with a field twice, a compressed one, and two idempotency keys pay nothing", async ({ alice, bob }) => {
  const before = await stateOf(alice);
  const headers = { authorization: `Bearer ${alice.apiKey}` };
  const post = (text: string, more: Record<string, string | string[]> = {}) =>
    raw(productURL, "/v1/transfers", { method: "POST", body: text, headers: { ...headers, ...more } });
  const twice = await post(`{"to":"${bob.handle}","amount":"1.00","amount":"2.00"}`);
  expect(twice.json.error).toMatchObject({ code: "invalid_request", param: "amount" });
  const body = JSON.stringify({ to: bob.handle, amount: "1.00" });
  const compressed = await post(body, { "content-encoding": "gzip" });
  expect(compressed.status).toBe(415);
  const keys = await post(body, { "idempotency-key": ["one", "two"] });
  expect(keys.json.error).toMatchObject({ code: "invalid_request", param: "Idempotency-Key" });
  expect(await stateOf(alice)).toEqual(before);
});

test("lists refuse times in the wrong order", async ({ alice }) => {
  const times = "from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z";
  for (const list of ["transfers", "events", "audit-log"]) {
    const response = await alice.call("GET", `/v1/${list}?${times}`);
    expect(response.json.error, list).toMatchObject({ code: "invalid_request", param: "from" });
  }
  expect((await alice.call("GET", "/v1/transfers?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z")).status).toBe(200);
});

test("no payment and no withdrawal goes to a contract that would keep it", async ({ alice }) => {
  const { ledger, assets, rpc_url } = await (await alice.session.get("/api/network")).json();
  const chain = createPublicClient({ transport: http(rpc_url) });
  const read = (functionName: (typeof VERIFIERS)[number]) =>
    chain.readContract({ address: ledger, abi: VERIFIERS_ABI, functionName });
  const verifiers = await Promise.all(VERIFIERS.map(read));
  const usdg = assets.find(({ symbol }: { symbol: string }) => symbol === "USDG").address;
  const before = await stateOf(alice);
  for (const to of [ledger, usdg, ...verifiers]) {
    const response = await alice.call("POST", "/v1/transfers", { to, amount: "1.00", confidential: false });
    expect(response.json.error, to).toMatchObject({ code: "invalid_request", param: "to" });
    const error = await alice.client.withdrawals.create({ to, amount: "1" }).catch((thrown: unknown) => thrown);
    expect(error, to).toMatchObject({ code: "invalid_request" });
  }
  expect(await stateOf(alice)).toEqual(before);
});
