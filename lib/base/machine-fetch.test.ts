import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { machineFetch } from "./machine-fetch";

async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Responds with what arrived. */
const mirror: RequestListener = async (request, response) => {
  const { method, url, headers } = request;
  response.end(JSON.stringify({ method, url, headers, body: await textOf(request) }));
};

test.each<[string, RequestInit, object]>([
  ["text", { method: "POST", body: "é" }, { method: "POST", body: "é" }],
  ["bytes", { method: "PUT", body: new TextEncoder().encode("é") }, { method: "PUT", body: "é" }],
  ["a form", { method: "POST", body: new URLSearchParams({ a: "1 2" }) }, { method: "POST", body: "a=1+2" }],
  ["a deletion's", { method: "DELETE", body: "why" }, { method: "DELETE", body: "why" }],
  ["none", {}, { method: "GET", body: "" }],
  ["none of a change", { method: "POST" }, { method: "POST", body: "" }],
])("a body arrives as it was given: %s", async (_, init, arrived) => {
  const url = await serve(mirror);
  const headers = { "x-one": "1", "content-length": "9999", "transfer-encoding": "chunked" };
  const response = await machineFetch(`${url}/a?b=c#d`, { ...init, headers });
  const received = await response.json();
  expect(received).toMatchObject({ ...arrived, url: "/a?b=c", headers: { "x-one": "1", accept: "*/*" } });
  expect(received.headers).not.toHaveProperty("transfer-encoding");
  const request = new Request(url, { ...init, headers: { "x-one": "2" } });
  expect(await (await machineFetch(request)).json()).toMatchObject({ ...arrived, headers: { "x-one": "2" } });
});

test("a response has its status, headers and address; one without a body has none", async () => {
  const url = await serve((request, response) => {
    if (request.url === "/none") return response.writeHead(204).end();
    return response.writeHead(404, "Gone Away", { "set-cookie": ["a=1", "b=2"] }).end("x");
  });
  const response = await machineFetch(url);
  expect(response).toMatchObject({ status: 404, statusText: "Gone Away", url: `${url}/`, redirected: false });
  expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  expect(await response.text()).toBe("x");
  expect((await machineFetch(`${url}/none`)).body).toBeNull();
  expect(await (await machineFetch(url, { method: "HEAD" })).text()).toBe("");
});

test("redirects are followed as fetch does, without what belongs to the first server; or refused, or returned", async () => {
  const other = await serve(mirror);
  const url = await serve((request, response) => {
    const [, status = "", to = ""] = /^\/(\d+)(\/.*)?/.exec(request.url ?? "") ?? [];
    if (!status) return mirror(request, response);
    return response.writeHead(Number(status), { location: to === "/other" ? `${other}/b` : to || request.url }).end();
  });
  const post = { method: "POST", body: "one", headers: { authorization: "secret", "x-one": "1" } };
  const kept = await machineFetch(`${url}/307/a`, post);
  expect(kept).toMatchObject({ redirected: true, url: `${url}/a` });
  expect(await kept.json()).toMatchObject({ method: "POST", body: "one", headers: { authorization: "secret" } });
  const got = await (await machineFetch(`${url}/303/a`, post)).json();
  expect(got).toMatchObject({ method: "GET", body: "", headers: { "x-one": "1" } });
  expect(got.headers).not.toHaveProperty("content-type");
  const away = await (await machineFetch(`${url}/308/other`, post)).json();
  expect(away).toMatchObject({ method: "POST", body: "one", url: "/b", headers: { host: new URL(other).host } });
  expect(away.headers).not.toHaveProperty("authorization");
  expect(await machineFetch(`${url}/302/a`, { redirect: "manual" })).toMatchObject({ status: 302, redirected: false });
  await expect(machineFetch(`${url}/302/a`, { redirect: "error" })).rejects.toThrow(TypeError);
  await expect(machineFetch(`${url}/302`)).rejects.toThrow(TypeError);
});

test("a request that fails says why, as fetch does; one that is aborted, with the reason, before and after the headers", async () => {
  await expect(machineFetch("http://127.0.0.1:9/")).rejects.toMatchObject({
    name: "TypeError",
    cause: { code: "ECONNREFUSED" },
  });
  let left = 0;
  const url = await serve((request, response) => {
    // The others may be aborted before they arrive.
    if (request.url !== "/") response.once("close", () => left++);
    if (request.url === "/body") response.write("beginning");
    if (request.url === "/broken") response.write("beginning", () => response.destroy());
  });
  const reason = new Error("enough");
  await expect(machineFetch(url, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  await expect(machineFetch(url, { signal: AbortSignal.timeout(20) })).rejects.toMatchObject({ name: "TimeoutError" });
  const stopped = new AbortController();
  const { body } = await machineFetch(`${url}/body`, { signal: stopped.signal });
  const reader = body?.getReader();
  await reader?.read();
  stopped.abort(reason);
  await expect(reader?.read()).rejects.toBe(reason);
  await expect(machineFetch(`${url}/broken`).then((response) => response.text())).rejects.toThrow(TypeError);
  const unread = await machineFetch(`${url}/body`);
  await unread.body?.cancel();
  await expect.poll(() => left).toBe(3);
});

test("a connection is used again", async () => {
  const ports = new Set<number | undefined>();
  const url = await serve((request, response) => {
    ports.add(request.socket.remotePort);
    response.end("{}");
  });
  for (let n = 0; n < 3; n++) await (await machineFetch(url)).text();
  expect(ports.size).toBe(1);
});

test("a page asks by its own fetch, and so does a process that was given another", async () => {
  vi.stubGlobal(Symbol.for("halcyon.fetch") as never, async () => new Response("a test's"));
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  expect(await (await machineFetch("https://example.com")).text()).toBe("a test's");
  vi.stubGlobal("location", { origin: "https://example.com" });
  vi.stubGlobal("fetch", async () => new Response("the page's"));
  expect(await (await machineFetch("https://example.com")).text()).toBe("the page's");
});
