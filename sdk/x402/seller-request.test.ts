import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import zlib, { brotliCompressSync } from "node:zlib";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Call } from "../api/call";
import { telling } from "../cli/progress";
import { sellerFetch, sellerRequest } from "./seller-request";

let seller: Server;
let url: string;
let asked: (string | undefined)[];

beforeEach(async () => {
  asked = [];
  const bomb = brotliCompressSync(Buffer.alloc(4_000_000));
  seller = createServer(({ headers }, response) => {
    asked.push(headers["accept-encoding"]);
    response.writeHead(402, { "content-encoding": "br" }).end(bomb);
  });
  await once(seller.listen(0, "127.0.0.1"), "listening");
  url = `http://127.0.0.1:${(seller.address() as AddressInfo).port}`;
});
afterEach(() => {
  vi.restoreAllMocks();
  seller.close();
  seller.closeAllConnections();
});

test.each([
  ["the SDK", undefined],
  ["the command line", telling({ say: () => {}, done: () => {} }).fetch],
] as const)("what a seller encodes reaches no decoder: %s", async (_, fetched) => {
  const decoder = vi.spyOn(zlib, "createBrotliDecompress");
  await expect(sellerFetch(new Call(), fetched)(sellerRequest(url, {}))).rejects.toThrow("not asked for");
  expect(decoder).not.toHaveBeenCalled();
  expect(asked).toEqual(["identity"]);
});
