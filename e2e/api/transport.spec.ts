import { connect } from "node:net";
import { expect, productURL, stateOf, test } from "./fixtures";
import { type RawAnswer, raw } from "./http";

function expectErrorShape(response: RawAnswer, status: number, code: string): void {
  expect(response.status).toBe(status);
  expect(response.headers["content-type"]).toMatch(/^application\/json/);
  expect(response.json.error).toMatchObject({
    code,
    message: expect.stringMatching(/\w/),
    request_id: expect.stringMatching(/^req_/),
    doc_url: expect.stringMatching(new RegExp(`^https?://[^/]+/docs/errors/${code}$`)),
  });
  expect(response.headers["x-request-id"]).toBe(response.json.error?.request_id);
}

test("404: an unknown path under /v1", async () => {
  expectErrorShape(await raw(productURL, "/v1/nothing-here"), 404, "not_found");
});

test("404: a trailing slash under /v1", async ({ alice }) => {
  expectErrorShape(await alice.call("GET", "/v1/transfers/"), 404, "not_found");
});

test("400: a percent encoding that is none", async ({ alice }) => {
  expectErrorShape(await alice.call("GET", "/v1/transfers/%E0%A4%A"), 400, "invalid_request");
});

for (const method of ["PUT", "TRACE", "PATCH", "DELETE"]) {
  test(`405 with Allow, and nothing changes: ${method} /v1/transfers`, async ({ alice }) => {
    const before = await stateOf(alice);
    const response = await alice.call(method, "/v1/transfers");
    expectErrorShape(response, 405, "method_not_allowed");
    expect(response.headers.allow).toMatch(/GET.*POST/);
    expect(await stateOf(alice)).toEqual(before);
  });
}

test("a refused caller learns nothing of the body: 401 comes before 400", async () => {
  const response = await raw(productURL, "/v1/transfers", { method: "POST", body: "{" });
  expectErrorShape(response, 401, "unauthorized");
});

test("no response under /v1 allows another site's scripts to read it, or anyone to keep it", async ({ alice }) => {
  const response = await alice.call("GET", "/v1/accounts/me", undefined, { origin: "https://elsewhere.example" });
  expect(response.status).toBe(200);
  expect(response.headers["access-control-allow-origin"]).toBeUndefined();
  expect(response.headers["cache-control"]).toBe("no-store");
});

/** Returns what a connection responds to these bytes, which Node's own client would not send. */
function exchange(bytes: string): Promise<string> {
  const { hostname, port } = new URL(productURL);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let response = "";
    socket.on("data", (chunk) => {
      response += chunk;
    });
    // The server may reset the connection after its response, because it did not read everything that was sent.
    socket.on("error", (error) => {
      if (response === "") reject(error);
    });
    socket.on("close", () => resolve(response));
  });
}

function expectRawError(response: string, status: number, code: string): void {
  const [head = "", body = ""] = response.split("\r\n\r\n");
  expect(head.split(" ")[1]).toBe(String(status));
  expect(head).toMatch(/content-type: application\/json/i);
  expect(head).toMatch(/x-request-id: req_/i);
  expect(head).toMatch(/cache-control: no-store/i);
  expect(JSON.parse(body.slice(body.indexOf("{"), body.lastIndexOf("}") + 1)).error.code).toBe(code);
}

for (const [target, status, code] of [
  ["/x/../v1/accounts/me", 404, "not_found"],
  ["/x/%2e%2e/v1/accounts/me", 404, "not_found"],
  ["//v1/accounts/me", 404, "not_found"],
  ["/v1\\accounts\\me", 404, "not_found"],
  ["/v1/accounts%2fme", 404, "not_found"],
  ["/V1/accounts/me", 404, "not_found"],
  ["/v1/webhooks/..", 404, "not_found"],
  ["/api/nothing", 404, "not_found"],
  ["/v1/events/a%00b", 400, "invalid_request"],
  ["/v1/accounts/me?x=%00", 400, "invalid_request"],
] as const) {
  test(`no address that could be read as another reaches a route: ${status} for ${target}`, async ({ alice }) => {
    const response = await exchange(
      `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.apiKey}\r\nConnection: close\r\n\r\n`,
    );
    expectRawError(response, status, code);
  });
}

test("what Node and Next would handle by themselves gets the error shape", async () => {
  const end = "Connection: close\r\n\r\n";
  expectRawError(await exchange(`GET /v1/accounts/me HTTP/1.1\r\n${end}`), 400, "invalid_request");
  expectRawError(
    await exchange(`GET /v1/accounts/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n${end}`),
    400,
    "invalid_request",
  );
  expectRawError(await exchange(`OPTIONS * HTTP/1.1\r\nHost: a\r\n${end}`), 404, "not_found");
  expectRawError(await exchange(`CONNECT a:1 HTTP/1.1\r\nHost: a\r\n${end}`), 405, "method_not_allowed");
  expectRawError(await exchange(`TRACE /api/keys HTTP/1.1\r\nHost: a\r\n${end}`), 405, "method_not_allowed");
  expectRawError(
    await exchange(`GET /_next/image?url=%2Ficon.svg&w=64&q=75 HTTP/1.1\r\nHost: a\r\n${end}`),
    404,
    "not_found",
  );
});

test("an offer of another protocol, an expectation, absolute form and Next's headers change nothing", async ({
  alice,
}) => {
  for (const [target, header] of [
    ["/v1/accounts/me", "Connection: Upgrade, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA"],
    ["/v1/accounts/me", "Connection: close\r\nExpect: the-unexpected"],
    ["/v1/accounts/me", "Connection: close\r\nRSC: 1\r\nNext-Router-Prefetch: 1\r\nx-middleware-subrequest: a"],
    ["http://elsewhere.example/v1/accounts/me", "Connection: close"],
    ["/v1/acc%6funts/me", "Connection: close"],
  ] as const) {
    const response = await exchange(
      `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${alice.apiKey}\r\n${header}\r\n\r\n`,
    );
    expect(response.split(" ")[1], target + header).toBe("200");
    expect(response).toContain(alice.handle);
  }
});

test("413, and nothing more is read: a body that no one vouches for, of over 16 KiB", async () => {
  const form = "Content-Type: application/x-www-form-urlencoded\r\n";
  for (const target of ["/api/auth/callback/siwe", "/", "/docs"]) {
    const head = `POST ${target} HTTP/1.1\r\nHost: a\r\n${form}`;
    const announced = await exchange(`${head}Content-Length: 20000000\r\n\r\n${"a".repeat(17 * 1024)}`);
    expectRawError(announced, 413, "invalid_request");
    expect(announced).toMatch(/connection: close/i);
  }
  const chunk = `4400\r\n${"a".repeat(0x4400)}\r\n`;
  const auth = `POST /api/auth/signout HTTP/1.1\r\nHost: a\r\n${form}Transfer-Encoding: chunked\r\n\r\n${chunk}`;
  expectRawError(await exchange(auth), 413, "invalid_request");
  const page = `POST / HTTP/1.1\r\nHost: a\r\n${form}Transfer-Encoding: chunked\r\n\r\n${chunk}`;
  expectRawError(await exchange(page), 400, "invalid_request");
});

test("401 before the end of a body closes the connection instead of waiting for the rest", async () => {
  const response = await exchange("POST /v1/transfers HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n{");
  expectRawError(response, 401, "unauthorized");
  expect(response).toMatch(/connection: close/i);
});
