import { expect, test } from "./fixtures";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const INITIALIZE = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

test("the metadata name one issuer, its endpoints and the resource of each network", async ({ request, baseURL }) => {
  const server = await (await request.get("/.well-known/oauth-authorization-server")).json();
  expect(server).toMatchObject({
    issuer: baseURL,
    authorization_endpoint: `${baseURL}/oauth/authorize`,
    token_endpoint: `${baseURL}/oauth/token`,
    registration_endpoint: `${baseURL}/oauth/register`,
    revocation_endpoint: `${baseURL}/oauth/revoke`,
    code_challenge_methods_supported: ["S256"],
    grant_types_supported: ["authorization_code"],
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
  });
  for (const network of ["test", "live"]) {
    const resource = await request.get(`/.well-known/oauth-protected-resource/mcp/${network}`);
    expect(await resource.json()).toMatchObject({
      resource: `${baseURL}/mcp/${network}`,
      authorization_servers: [baseURL],
      bearer_methods_supported: ["header"],
    });
  }
  expect((await request.get("/.well-known/oauth-protected-resource/mcp/other")).status()).toBe(404);
});

test("without a token, and with an API key, the server says where to get one, and serves nothing", async ({
  request,
  alice,
  baseURL,
}) => {
  const metadata = `resource_metadata="${baseURL}/.well-known/oauth-protected-resource/mcp/test"`;
  const bearers: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${alice.apiKey}` },
    { authorization: "Bearer hc_test_x" },
  ];
  for (const headers of bearers) {
    const response = await request.post("/mcp/test", { data: INITIALIZE, headers });
    expect(response.status()).toBe(401);
    expect(response.headers()["www-authenticate"]).toContain(metadata);
    expect(response.headers()["cache-control"]).toBe("no-store");
  }
  expect((await request.post("/mcp/other", { data: INITIALIZE })).status()).toBe(404);
  expect((await request.get("/mcp/test")).status()).toBe(405);
});

test("pages of other sites are refused before anything else", async ({ request }) => {
  for (const origin of ["https://evil.example", "null", "http://localhost:1"]) {
    const response = await request.post("/mcp/test", { data: INITIALIZE, headers: { origin } });
    expect(response.status(), origin).toBe(403);
  }
});

test("an application registers public clients with exact https or loopback addresses alone", async ({ request }) => {
  const good = { client_name: "Spec", redirect_uris: ["https://app.example/cb"], grant_types: ["refresh_token"] };
  const registered = await request.post("/oauth/register", { data: good });
  expect(registered.status()).toBe(201);
  expect(await registered.json()).toMatchObject({
    client_id: expect.stringMatching(/^[\w-]+\.[\w-]+$/),
    client_name: "Spec",
    redirect_uris: good.redirect_uris,
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code"],
  });
  const refusals: [object, string][] = [
    [{ redirect_uris: ["http://app.example/cb"] }, "invalid_redirect_uri"],
    [{ redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    [{ redirect_uris: [] }, "invalid_client_metadata"],
    [{ redirect_uris: Array(11).fill("https://app.example/cb") }, "invalid_client_metadata"],
    [{ ...good, client_name: "Hal\u202ecyon" }, "invalid_client_metadata"],
    [{ ...good, client_name: "x\ny" }, "invalid_client_metadata"],
    [{}, "invalid_client_metadata"],
  ];
  for (const [data, error] of refusals) {
    const response = await request.post("/oauth/register", { data });
    expect(response.status(), JSON.stringify(data)).toBe(400);
    expect(await response.json()).toEqual({ error, error_description: expect.any(String) });
  }
});

test("the token endpoint takes forms, each parameter once, and says the same of every wrong code", async ({
  request,
}) => {
  const { client_id } = await (
    await request.post("/oauth/register", { data: { redirect_uris: ["https://app.example/cb"] } })
  ).json();
  const exchange = (fields: Record<string, string>) =>
    request.post("/oauth/token", { form: { grant_type: "authorization_code", client_id, ...fields } });
  const forged = `hcc_test_${"a".repeat(43)}`;
  const texts = await Promise.all(
    [{ code: forged }, { code: "x" }, { code: "" }].map(async (each) => (await exchange(each)).json()),
  );
  expect(new Set(texts.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(texts[0]).toMatchObject({ error: "invalid_grant" });
  const unknown = await exchange({ client_id: "forged-up", code: forged });
  expect([unknown.status(), (await unknown.json()).error]).toEqual([401, "invalid_client"]);
  expect((await (await exchange({ grant_type: "refresh_token" })).json()).error).toBe("unsupported_grant_type");
  for (const [headers, data] of [
    [{ "content-type": "application/json" }, "{}"],
    [FORM, "grant_type=a&grant_type=b"],
    [FORM, ""],
  ] as const) {
    const response = await request.post("/oauth/token", { headers, data });
    expect([response.status(), (await response.json()).error]).toEqual([400, "invalid_request"]);
    expect(response.headers()["cache-control"]).toBe("no-store");
  }
  const revoked = await request.post("/oauth/revoke", { form: { client_id, token: "hc_test_unknown" } });
  expect([revoked.status(), await revoked.text()]).toEqual([200, ""]);
});

test("the authorization endpoint leads to the dashboard, and to no other place", async ({ request }) => {
  for (const query of ["", "?resource=https://evil.example", "?redirect_uri=https://evil.example&state=1"]) {
    const response = await request.get(`/oauth/authorize${query}`, { maxRedirects: 0 });
    expect(response.status()).toBe(303);
    expect(response.headers().location).toMatch(/^\/test\/connect/);
  }
});
