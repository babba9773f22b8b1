import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type RequestListener, request } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { askInside } from "./ask-inside";
import { sharedResponses } from "./shared-responses";
import { sharedTargets } from "./shared-targets";

/** Scripts of a page of Next.js: our own, which React compares with its own, then those with the page's data. */
const OWN = ['early("one")', "early(2)"];
const DATA = [
  "(self.__next_f=self.__next_f||[]).push([0])",
  'self.__next_f.push([1,"a"])',
  'self.__next_f.push([1,"b"])',
];
const LAST = 'push("three")';
const inline = (scripts: string[]) => scripts.map((script) => `<script>${script}</script>`).join("");
const LOADED = '<script src="/_next/static/chunks/one.js" async=""></script>';

/** What Next.js was asked for. */
let asked: IncomingMessage[] = [];
let nextHandler: RequestListener;
const next: RequestListener = (request, response) => {
  asked.push(request);
  nextHandler(request, response);
};
const page: RequestListener = ({ url, headers }, response) => {
  response.setHeader("Content-Type", "text/html; charset=utf-8");
  response.setHeader("Cache-Control", "no-store");
  response.statusCode = /-|_not-found/.test(url ?? "") ? 404 : 200;
  response.end(
    `<!doctype html><html data-theme="${headers.cookie}">${url} ${headers.host}${inline(OWN)}<p>text</p>${LOADED}${inline(DATA)}<script id="a">${LAST}</script>`,
  );
};

const server = createServer(async (incoming, response) => {
  const at = new URL(incoming.url ?? "/", "http://here").pathname;
  if (!(await serve(incoming, response, at))) response.writeHead(418).end();
});
let serve: ReturnType<typeof sharedResponses>;

beforeEach(async () => {
  asked = [];
  nextHandler = page;
  const targets = sharedTargets(async () => ["/docs", "/docs/guide", "/docs/errors/not_found"]);
  serve = sharedResponses(askInside(next), targets, (hashes) => `script-src 'self' ${hashes.join(" ")}`);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  const { port } = server.address() as AddressInfo;
  return new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, async (reply) => {
      const parts: Buffer[] = [];
      for await (const part of reply) parts.push(part as Buffer);
      const status = reply.statusCode ?? 0;
      resolve({ status, headers: reply.headers as Record<string, string>, body: Buffer.concat(parts) });
    });
    sent.on("error", reject);
    sent.end();
  });
}
const text = async (path: string, headers: Record<string, string> = {}) => (await get(path, headers)).body.toString();

test("pages of text and links have no scripts; others do", async () => {
  const preload = '<link rel="preload" as="script" href="/_next/static/chunks/one.js"/>';
  const style = '<link rel="stylesheet" href="/_next/static/css/one.css"/>';
  nextHandler = (_, response) => {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(`<head>${style}${preload}</head><p>text</p>${LOADED}${inline(DATA)}`);
  };
  for (const path of ["/terms", "/system-status", "/nothing/here"]) {
    const plain = await get(path);
    expect(plain.body.toString(), path).toBe(`<head>${style}</head><p>text</p>`);
    expect(plain.headers["content-security-policy"]?.trim()).toBe("script-src 'self'");
  }
  expect(await text("/docs/guide")).toContain(LOADED);
});

test("a page that shows how something is now is made for each request, and no one keeps it", async () => {
  expect((await get("/system-status")).headers["cache-control"]).toBe("no-store");
  await get("/system-status");
  expect(asked).toHaveLength(2);
});

test("a page is made once for everyone, whatever a request carries, in each encoding", async () => {
  const plain = await text("/docs/guide");
  const poison = {
    host: "evil.example",
    "x-forwarded-host": "evil.example",
    rsc: "1",
    "next-router-state-tree": "%5B%5D",
    "next-router-prefetch": "1",
    cookie: "__prerender_bypass=1; halcyon.session=abc; theme=<b>",
    "accept-encoding": "gzip",
  };
  const many = await Promise.all([1, 2, 3].map(() => get("/docs/guide?_rsc=abc", poison)));
  for (const one of many) expect(gunzipSync(one.body).toString()).toBe(plain);
  expect(brotliDecompressSync((await get("/docs/guide", { "accept-encoding": "gzip, br" })).body).toString()).toBe(
    plain,
  );
  expect(asked.map(({ url, headers }) => [url, headers])).toEqual([
    ["/docs/guide", { host: "localhost", connection: "close" }],
  ]);
});

test("requests that come at once wait for one response", async () => {
  const replies = await Promise.all(Array.from({ length: 5 }, () => text("/")));
  expect(new Set(replies).size).toBe(1);
  expect(asked).toHaveLength(1);
});

test("each theme has a page of its own", async () => {
  expect(await text("/", { cookie: "a=b; theme=dark" })).toContain('data-theme="theme=dark"');
  expect(await text("/", { cookie: "theme=light" })).toContain('data-theme="theme=light"');
  expect(await text("/", { cookie: "theme=system" })).toContain('data-theme="undefined"');
  expect((await get("/")).headers.vary).toBe("Accept-Encoding, Cookie");
  expect(asked).toHaveLength(3);
});

test("the policy of a page has the hash of each inline script that it runs, and no more", async () => {
  const { headers, body } = await get("/");
  const hash = (script: string) => `'sha256-${createHash("sha256").update(script).digest("base64")}'`;
  const joined = DATA.join("\n;");
  expect(body.toString()).toContain(`${inline(OWN)}<p>text</p>${LOADED}${inline([joined])}<script id="a">`);
  const hashes = [...OWN, joined, LAST].map(hash).join(" ");
  expect(headers["content-security-policy"]).toBe(`script-src 'self' ${hashes}`);
});

test("a client that has the page gets 304 without it, with the page's policy", async () => {
  const first = await get("/docs");
  expect(first.headers["cache-control"]).toBe("private, no-cache");
  const again = await get("/docs", { "if-none-match": `"x", W/${first.headers.etag}` });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  expect(again.headers["content-security-policy"]).toBe(first.headers["content-security-policy"]);
  expect((await get("/docs", { "if-none-match": '"x"' })).status).toBe(200);
});

test("HEAD has the headers alone, and other methods are not served here", async () => {
  const head = await get("/docs", {}, "HEAD");
  expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, expect.any(String)]);
  expect((await get("/docs", {}, "POST")).status).toBe(418);
});

test("all addresses without a page share one response", async () => {
  for (const path of ["/docs/a", "/docs/b/c", "/docs/errors/a", "/docs/a.md", "/nowhere", "/nowhere/b"]) {
    expect((await get(path)).status, path).toBe(404);
  }
  expect(asked.map(({ url }) => url)).toEqual(["/docs/-", "/docs/errors/-", "/docs/-.md", "/_not-found"]);
});

test("a file is sent as it is, with its own caching", async () => {
  const key = Buffer.alloc(300_000, 7);
  nextHandler = (_, response) => {
    response.setHeader("content-type", "application/octet-stream");
    response.setHeader("cache-control", "public, max-age=31536000, immutable");
    response.end(key);
  };
  const headers = { "accept-encoding": "gzip", cookie: "theme=dark" };
  const sent = await get("/circuits/pay.zkey", headers);
  expect(sent.body.equals(key)).toBe(true);
  expect(sent.headers).toMatchObject({
    "content-length": "300000",
    "cache-control": expect.stringMatching("immutable"),
  });
  await get("/circuits/pay.zkey");
  expect(asked.map(({ headers: sent }) => sent.cookie)).toEqual([undefined]);
});

test("a failure, someone's cookie and an unknown file are not kept", async () => {
  nextHandler = (_, response) => response.writeHead(500).end();
  expect((await get("/docs")).status).toBe(418);
  nextHandler = (_, response) => response.writeHead(200, { "set-cookie": "a=b" }).end();
  expect((await get("/docs")).status).toBe(418);
  nextHandler = (_, response) => response.destroy();
  expect((await get("/docs")).status).toBe(418);
  nextHandler = (_, response) => response.writeHead(404, { "content-type": "text/plain" }).end("no");
  for (const _ of [1, 2]) expect((await get("/circuits/no.zkey")).status).toBe(404);
  nextHandler = page;
  expect((await get("/docs")).status).toBe(200);
  expect(asked).toHaveLength(6);
});

test("someone's own pages and the API are not served here", async () => {
  for (const path of ["/test", "/sign-in", "/pay/payreq_1", "/docs/", "/v1/transfers", "/_next/static/a.js"]) {
    expect((await get(path)).status, path).toBe(418);
  }
  expect(asked).toEqual([]);
});
