import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, test } from "vitest";
import { generateApiKey } from "@/lib/ledger/encrypted/api-key";
import { generateHomeKey } from "@/lib/ledger/encrypted/home-key";
import type { ProxyClient } from "./build-transfer";
import { type ProxySettings, serveProxy } from "./serve-proxy";

const ends: (() => unknown)[] = [];
afterEach(() => Promise.all(ends.splice(0).map((end) => end())));

/** Returns a proxy of a service that responds as the test says. */
async function proxyOf(serve: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ends.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return proxyTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

const NOTHING_PAID = (): ProxyClient => {
  throw new Error("nothing is paid");
};

async function proxyTo(service: string, clientOf: ProxySettings["clientOf"] = NOTHING_PAID): Promise<string> {
  const proxy = await serveProxy({ service, homeKeys: [generateHomeKey(46630)], port: 0, clientOf }, () => {});
  ends.push(() => proxy.close());
  return proxy.url;
}

function ask(url: string, headers: Record<string, string> = {}, method = "GET"): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    send(url, { method, headers, agent: false }, resolve).once("error", reject).end();
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

test("what comes is streamed byte by byte, without the headers of one connection", async () => {
  const asked: IncomingMessage[] = [];
  let finish = () => {};
  const url = await proxyOf((request, response) => {
    asked.push(request);
    response.writeHead(206, { "x-kept": "1", "x-hop": "1", connection: "x-hop", "keep-alive": "timeout=9" });
    response.write("first");
    finish = () => response.end("last");
  });
  const response = await ask(`${url}/v1/events/stream?after=1`, {
    "x-mine": "1",
    "x-local": "1",
    connection: "x-local",
  });
  expect(response.statusCode).toBe(206);
  expect(response.headers).toMatchObject({ "x-kept": "1" });
  expect(response.headers).not.toHaveProperty("x-hop");
  expect(response.headers["keep-alive"]).not.toBe("timeout=9");
  const first = await new Promise((resolve) => response.once("data", resolve));
  expect(String(first)).toBe("first");
  finish();
  expect(await textOf(response)).toBe("last");
  expect(asked[0]?.url).toBe("/v1/events/stream?after=1");
  expect(asked[0]?.headers).toMatchObject({ "x-mine": "1" });
  expect(asked[0]?.headers).not.toHaveProperty("x-local");
});

test("a page can't call it: not by another name of this machine, not by an origin, and not for another address", async () => {
  let asked = 0;
  const url = await proxyOf((_, response) => {
    asked++;
    response.end();
  });
  const refused: Record<string, string>[] = [
    { host: "evil.example" },
    { host: "127.0.0.1" },
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "none" },
  ];
  for (const headers of refused) {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const response = await ask(`${url}/v1/accounts/me`, headers, method);
      expect(response.statusCode).toBe(403);
      expect(Object.keys(response.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(await textOf(response)).toContain("key_forbidden");
    }
  }
  const { port, host } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(`GET http://evil.example/ HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  let text = "";
  for await (const part of socket) text += String(part);
  expect(text).toContain("400 Bad Request");
  expect(asked).toBe(0);
  for (const name of [host, `localhost:${port}`, `[::1]:${port}`]) {
    expect((await ask(`${url}/v1/accounts/me`, { host: name })).statusCode).toBe(200);
  }
});

/** Sends bytes as they are, and returns all that comes back. */
async function bytesTo(url: string, lines: readonly string[]): Promise<string> {
  const { port, host } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.write(lines.join("\r\n").replace("HOST", host));
  let text = "";
  for await (const part of socket) text += String(part);
  return text;
}

test("a home key in an address, header or body stays on this machine", async () => {
  let asked = 0;
  const url = await proxyOf((_, response) => {
    asked++;
    response.end();
  });
  const homeKey = generateHomeKey(46630);
  const codes = [...homeKey].map((character) => character.charCodeAt(0).toString(16));
  const percents = codes.map((code) => `%${code}`).join("");
  const escapes = codes.map((code) => `\\u00${code}`).join("");
  const inBody = (body: string): [path: string, lines: string[]] => [
    "/v1/webhooks",
    [`Content-Length: ${body.length}`, "", body],
  ];
  const where: [path: string, lines: string[]][] = [
    [`/v1/transfers?key=${homeKey}`, [""]],
    [`/v1/transfers?key=${percents}`, [""]],
    ["/v1/transfers", [`Authorization: Bearer ${homeKey}`, ""]],
    ...[`${homeKey}:`, `u:${homeKey}`, `user:${homeKey}`].map((pair): [path: string, lines: string[]] => [
      "/v1/transfers",
      [`authorization: basic ${Buffer.from(pair).toString("base64")}`, ""],
    ]),
    ["/v1/transfers", [`Cookie: a=${percents}`, ""]],
    inBody(`{"secret":"${homeKey}"}`),
    inBody(`{"secret":"${escapes}"}`),
    inBody(`{"secret":"\\u0068${homeKey.slice(1)}"}`),
    inBody(`secret=${percents}`),
  ];
  for (const [path, lines] of where) {
    const text = await bytesTo(url, [`POST ${path} HTTP/1.1`, "Host: HOST", "Connection: close", ...lines, ""]);
    expect(text, path).toMatch(/^HTTP\/1\.1 400 .*invalid_request/s);
    expect(text).not.toContain(homeKey);
  }
  expect(asked).toBe(0);
});

test("what one reader takes for a body and another for a second request is refused, and nothing of it goes on", async () => {
  const asked: (string | undefined)[] = [];
  const url = await proxyOf((request, response) => {
    asked.push(request.url);
    response.end();
  });
  const hidden = "GET /v1/hidden HTTP/1.1\r\nHost: HOST\r\n\r\n";
  const ambiguous = [
    ["Content-Length: 6", "Transfer-Encoding: chunked", "", "0", "", hidden],
    ["Content-Length: 0", "Content-Length: 40", "", hidden],
    ["Content-Length : 40", "", hidden],
    ["Content-Length: +4", "", hidden],
    ["Transfer-Encoding: chunked, identity", "", "0", "", hidden],
    ["Transfer-Encoding: xchunked", "", "0", "", hidden],
    ["Transfer-Encoding: chunked", "", "0x0", "", hidden],
    ["X-Folded: 1", "\tContent-Length: 40", " Transfer-Encoding: chunked\0", "", hidden],
  ];
  for (const lines of ambiguous) {
    const text = await bytesTo(url, ["POST /v1/webhooks HTTP/1.1", "Host: HOST", ...lines]);
    expect(text, lines.join("|")).toMatch(/^HTTP\/1\.1 400 /);
    expect(text.match(/HTTP\/1\.1/g), lines.join("|")).toHaveLength(1);
  }
  expect(asked).toEqual([]);
  // A body that both sides read alike is one body, also if it looks like a request.
  const whole = `{"a":"${hidden.replaceAll("\r\n", "")}"}`;
  const body = ["Connection: close", `Content-Length: ${whole.length}`, "", whole];
  await bytesTo(url, ["POST /v1/webhooks HTTP/1.1", "Host: HOST", ...body]);
  expect(asked).toEqual(["/v1/webhooks"]);
});

test("a service that is slow holds up its own request alone, and one that is given up ends there, too", async () => {
  let slow: IncomingMessage | undefined;
  const url = await proxyOf((request, response) => {
    if (request.url === "/quick") return void response.end("quick");
    slow = request;
    arrived();
  });
  let arrived = () => {};
  const isThere = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  const waiting = send(`${url}/slow`, { agent: false });
  const failed = new Promise((resolve) => waiting.once("error", resolve));
  waiting.end();
  await isThere;
  expect(await textOf(await ask(`${url}/quick`))).toBe("quick");
  const ended = new Promise((resolve) => slow?.once("close", resolve));
  waiting.destroy();
  await Promise.all([failed, ended]);
});

test("a service that is away is named, and one that stops in the middle leaves no whole response", async () => {
  const unreached = await proxyTo("http://127.0.0.1:1");
  const away = await ask(`${unreached}/v1/payouts`, {}, "POST");
  expect(away.statusCode).toBe(503);
  expect(await textOf(away)).toMatch(/can't reach the service.*Nothing was paid/);
  const url = await proxyOf((request, response) => {
    if (request.url === "/v1/payouts") return void request.socket.destroy();
    response.writeHead(200, { "content-length": "10" });
    response.write("half", () => request.socket.destroy());
  });
  // The request arrived: the proxy does not know what came of it.
  const silent = await ask(`${url}/v1/payouts`, {}, "POST");
  expect(silent.statusCode).toBe(504);
  expect(await textOf(silent)).toMatch(/outcome_unknown.*may have done what was asked/);
  await expect(ask(`${url}/half`).then(textOf)).rejects.toThrow();
});

test("an approval with a blind key is built on this machine, however its path is written", async () => {
  const approved: unknown[] = [];
  const approve = async (id: string, options: object) => {
    approved.push([id, options]);
    return { transaction_id: id, status: "approved" };
  };
  const client = { approvals: { approve } } as unknown as ProxyClient;
  const url = await proxyTo("http://127.0.0.1:1", () => client);
  const headers = { authorization: `Bearer ${generateApiKey(46630)}`, "idempotency-key": "a-1" };
  for (const path of ["/v1/agents/transactions/txn_1/approve", "/v1//agents/transactions/txn_1%2Fapprove/"]) {
    const response = await ask(url + path, headers, "POST");
    expect([response.statusCode, await textOf(response)]).toEqual([
      200,
      '{"transaction_id":"txn_1","status":"approved"}',
    ]);
  }
  expect(approved).toEqual([1, 2].map(() => ["txn_1", { idempotencyKey: "a-1", wait: false }]));
});

test("what a payment needs is loaded at the start for the networks of its home keys, and may fail", async () => {
  const loaded: string[] = [];
  const settings = {
    service: "http://127.0.0.1:1",
    homeKeys: [generateHomeKey(46630)],
    port: 0,
    clientOf: NOTHING_PAID,
  };
  const loadAhead = async (network: string) => {
    loaded.push(network);
    throw new Error("the service is away");
  };
  const proxy = await serveProxy({ ...settings, loadAhead }, () => {});
  ends.push(() => proxy.close());
  expect(loaded).toEqual(["test"]);
});
