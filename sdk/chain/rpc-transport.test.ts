import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { Call } from "../api/call";
import { ChainUnreachable } from "../api/errors";
import { rpcTransport } from "./rpc-transport";

async function ask(respond: RequestListener): Promise<unknown> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => respond(request, response));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { request } = rpcTransport(url, new Call({ maxRetries: 0 }))({ retryCount: 0 });
  return request({ method: "eth_chainId" });
}

const CHAIN_ID = JSON.stringify({ jsonrpc: "2.0", id: 1, result: "0x1" });

test("a node is asked for a response without an encoding", async () => {
  let asked: string | undefined;
  const result = await ask((request, response) => {
    asked = request.headers["accept-encoding"];
    response.end(CHAIN_ID);
  });
  expect({ asked, result }).toEqual({ asked: "identity", result: "0x1" });
});

test("a node's encoded response is not decoded", async () => {
  const asked = ask((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(CHAIN_ID)));
  await expect(asked).rejects.toMatchObject({ cause: expect.any(ChainUnreachable) });
});
