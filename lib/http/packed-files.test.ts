import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packedFiles, packFiles } from "./packed-files";

const ADDRESS = "/_next/static/chunks/one.js";
const TEXT = "export const one = 1;\n".repeat(200);
const dist = mkdtempSync(path.join(tmpdir(), "packed-"));
const server = createServer(async (incoming, response) => {
  if (!(await serve(incoming, response, incoming.url ?? ""))) response.writeHead(404).end();
});
let serve: ReturnType<typeof packedFiles>;

beforeAll(async () => {
  const content = Buffer.from(TEXT);
  await packFiles(dist, [
    { address: ADDRESS, content },
    { address: "/_next/static/media/font.woff2", content },
  ]);
  serve = packedFiles(dist);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.close();
  rmSync(dist, { recursive: true });
});

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Requests a file without decoding, unlike `fetch`. */
function get(at: string, encodings?: string, method = "GET"): Promise<Reply> {
  const { port } = server.address() as AddressInfo;
  const headers = encodings === undefined ? {} : { "accept-encoding": encodings };
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path: at, method, headers }, async (reply) => {
      const parts: Buffer[] = [];
      for await (const part of reply) parts.push(part as Buffer);
      resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(parts) });
    });
    asked.on("error", reject);
    asked.end();
  });
}

test("a script comes in the best encoding that the client takes, for good", async () => {
  const brotli = await get(ADDRESS, "gzip, deflate, br");
  expect(brotli.headers).toMatchObject({
    "content-encoding": "br",
    "content-type": "text/javascript; charset=utf-8",
    "content-length": String(brotli.body.length),
    "cache-control": "public, max-age=31536000, immutable",
    vary: "Accept-Encoding",
  });
  expect(brotliDecompressSync(brotli.body).toString()).toBe(TEXT);
  for (const offer of ["gzip", "br;q=0, gzip", "br;q=0.0,GZIP;q=0.5"]) {
    const gzip = await get(ADDRESS, offer);
    expect(gzip.headers["content-encoding"], offer).toBe("gzip");
    expect(gunzipSync(gzip.body).toString()).toBe(TEXT);
  }
  const head = await get(ADDRESS, "br", "HEAD");
  expect([head.headers["content-encoding"], head.body.length]).toEqual(["br", 0]);
});

test("all else is left to what stands behind: no encoding, another method, another file, a way out of the folder", async () => {
  expect((await get(ADDRESS)).status).toBe(404);
  expect((await get(ADDRESS, "identity, br;q=0")).status).toBe(404);
  expect((await get(ADDRESS, "br", "POST")).status).toBe(404);
  expect((await get("/_next/static/media/font.woff2", "br")).status).toBe(404);
  expect((await get(`${ADDRESS}.br`, "br")).status).toBe(404);
  expect((await get("/_next/static/chunks", "br")).status).toBe(404);
  expect((await get("/../packed/_next/static/chunks/one.js", "br")).status).toBe(404);
});
