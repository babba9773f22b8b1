import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import zlib, { brotliCompressSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test, vi } from "vitest";
import { plainFetch } from "./plain-fetch";

async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a request asks for no encoding, whatever its caller set, and keeps its other headers", async () => {
  const url = await serve((request, response) => response.end(JSON.stringify(request.headers)));
  const headers = { "accept-encoding": "gzip", "x-one": "1" };
  const inits: Parameters<typeof fetch>[] = [
    [url, { headers }],
    [url, { headers: new Headers(headers) }],
    [url, { headers: Object.entries(headers) }],
    [new Request(url, { headers })],
    [new Request(url, { headers: { "x-one": "2" } }), { headers }],
  ];
  for (const init of inits) {
    const received = await (await plainFetch()(...init)).json();
    expect(received).toMatchObject({ "accept-encoding": "identity", "x-one": "1" });
  }
});

test("an encoded response is refused whatever it decodes to; one that names no encoding is read", async () => {
  const url = await serve((request, response) => {
    const encoding = request.url?.slice(1).replaceAll("_", ", ") ?? "";
    response.writeHead(200, { "content-encoding": encoding }).end(encoding === "Identity" ? "{}" : gzipSync("{}"));
  });
  for (const encoding of ["gzip", "br", "zstd", "deflate", "identity_gzip", "unheard-of"]) {
    await expect(plainFetch()(`${url}/${encoding}`), encoding).rejects.toThrow("not asked for");
  }
  expect(await (await plainFetch()(`${url}/Identity`)).text()).toBe("{}");
});

test("an encoded response reaches no decoder, however much it would decode to", async () => {
  const decoders = (["createBrotliDecompress", "createGunzip", "createInflate", "createInflateRaw"] as const).map(
    (name) => vi.spyOn(zlib, name),
  );
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const bombs = { br: brotliCompressSync(Buffer.alloc(4_000_000)), gzip: gzipSync("{}"), deflate: Buffer.from("x") };
  const url = await serve(({ url: path = "" }, response) => {
    const encoding = path.slice(1) as keyof typeof bombs;
    response.writeHead(path === "/br" ? 402 : 200, { "content-encoding": encoding }).end(bombs[encoding]);
  });
  for (const encoding of Object.keys(bombs)) {
    await expect(plainFetch()(`${url}/${encoding}`), encoding).rejects.toThrow("not asked for");
  }
  for (const decoder of decoders) expect(decoder).not.toHaveBeenCalled();
});

test("a 100 Continue that no request asked for is read past, and the request sent once", async () => {
  let received = 0;
  const url = await serve((request, response) => {
    received += 1;
    request.resume().once("end", () => {
      response.writeContinue(() => response.writeEarlyHints({ link: "</a>; rel=preload" }, () => response.end("{}")));
    });
  });
  const response = await plainFetch()(url, { method: "POST", body: "one" });
  expect([response.status, await response.text()]).toEqual([200, "{}"]);
  expect(received).toBe(1);
});

test("a browser, which sends and decodes encodings of its own, may read them; their size is bounded all the same", async () => {
  vi.stubGlobal("location", { origin: "https://example.com" });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const decoded = async () => new Response("0123456789", { headers: { "content-encoding": "br" } });
  expect(await (await plainFetch(decoded)("https://example.com")).text()).toBe("0123456789");
  await expect(plainFetch(decoded, 9)("https://example.com")).rejects.toThrow("over 9 bytes");
});

test("of an endless response no more than the bound is read, and the rest is let go", async () => {
  let sent = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1024;
      controller.enqueue(new Uint8Array(1024));
    },
    cancel: () => {
      cancelled = true;
    },
  });
  const asked = plainFetch(async () => new Response(endless), 10_000)("https://example.com");
  await expect(asked).rejects.toThrow("over 10000 bytes");
  expect(cancelled).toBe(true);
  expect(sent).toBeLessThan(20_000);
});

test("a response within the bound is read as it is, whatever its pieces, with its status and headers", async () => {
  const text = "é".repeat(1_000);
  const bytes = new TextEncoder().encode(text);
  const pieces = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.subarray(at, at + 7));
      controller.close();
    },
  });
  const given = new Response(pieces, { status: 404, statusText: "Gone", headers: { "x-request-id": "req_1" } });
  const response = await plainFetch(async () => given, bytes.length)("https://example.com");
  expect(await response.text()).toBe(text);
  expect(response).toMatchObject({ status: 404, statusText: "Gone" });
  expect(response.headers.get("x-request-id")).toBe("req_1");
  const empty = await plainFetch(async () => new Response(null, { status: 204 }))("https://example.com");
  expect(await empty.text()).toBe("");
});
