import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createPublicClient, http, numberToHex } from "viem";
import { afterEach, expect, test } from "vitest";
import { failureKind } from "@/lib/base/block-ranges";
import { HalcyonError } from "../api/errors";
import { chainClient } from "./chain-client";
import { readRanges, watchReads } from "./ledger-events";
import { rpcTransport } from "./rpc-transport";

type Said = { status?: number; body: string | object };

const error = (code: number, message: string) => ({ body: { error: { code, message } } });

/** What nodes and providers say when a range is too large for them. */
const REFUSALS: Record<string, Said> = {
  Alchemy: {
    status: 400,
    ...error(-32600, "Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range."),
  },
  Infura: error(-32005, "query returned more than 10000 results"),
  QuickNode: error(-32614, "eth_getLogs is limited to a 5 range"),
  Ankr: error(-32062, "Block range is too large"),
  dRPC: error(35, "ranges over 10000 blocks are not supported on freetier"),
  geth: error(-32003, "response too large"),
  erigon: error(-32000, "query block range exceeds server limit"),
  nginx: { status: 413, body: "<html>413 Request Entity Too Large</html>" },
};

/** What they say when the range has nothing to do with it. */
const AWAY: Record<string, Said> = {
  "too many requests": error(429, "Your app has exceeded its compute units per second capacity."),
  "QuickNode's rate limit": error(-32007, "15/second request limit reached"),
  "Infura's rate limit": error(-32005, "project ID request rate exceeded"),
  "a gateway": { status: 502, body: "<html>Bad Gateway</html>" },
  "too many by HTTP": { status: 429, body: "slow down" },
};

const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

interface Call {
  id: number;
  params: [{ fromBlock: string; toBlock: string }];
}

/** Starts a node that returns one log per block, and for more blocks than `widest` what `said` says. */
async function nodeThat(said: Said, widest: bigint): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString()) as Call;
    const [from, to] = [BigInt(params[0].fromBlock), BigInt(params[0].toBlock)];
    if (to - from + 1n > widest) {
      const { status = 200, body } = said;
      const type = typeof body === "string" ? "text/html" : "application/json";
      const text = typeof body === "string" ? body : JSON.stringify({ jsonrpc: "2.0", id, ...body });
      return void response.writeHead(status, { "content-type": type }).end(text);
    }
    const result = Array.from({ length: Number(to - from) + 1 }, (_, index) => numberToHex(from + BigInt(index)));
    response.setHeader("content-type", "application/json").end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stops.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Reads the node's logs of blocks 10 to 99. */
function logsOf(client: ReturnType<typeof chainClient>) {
  return readRanges(client, 10n, 99n, async (fromBlock, toBlock) => {
    const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) };
    return (await client.request({ method: "eth_getLogs", params: [range] })) as unknown as string[];
  });
}

const BLOCKS = Array.from({ length: 90 }, (_, index) => numberToHex(index + 10));
const own = (url: string) => chainClient(rpcTransport(url));

test("a node that allows few blocks a request is read to the end, however it says so", {
  timeout: 60_000,
}, async () => {
  await Promise.all(
    Object.values(REFUSALS).map(async (said) => {
      await expect(logsOf(own(await nodeThat(said, 7n)))).resolves.toEqual(BLOCKS);
    }),
  );
});

test("the service's client and the SDK's distinguish a range that is too large from a node that is away", async () => {
  const kindBy = (client: Pick<ReturnType<typeof chainClient>, "request">) =>
    client
      .request({ method: "eth_getLogs", params: [{ fromBlock: "0x0", toBlock: "0x9" }] })
      .then(() => "none", failureKind);
  for (const [kind, table] of [
    ["refused", REFUSALS],
    ["unanswered", AWAY],
  ] as const) {
    await Promise.all(
      Object.entries(table).map(async ([name, said]) => {
        const url = await nodeThat(said, 0n);
        const viem = createPublicClient({ transport: http(url, { retryCount: 0 }) });
        expect([name, await kindBy(own(url)), await kindBy(viem)]).toEqual([name, kind, kind]);
      }),
    );
  }
  // A response that viem refuses to read.
  const large = await nodeThat({ body: "x".repeat(11_000_000) }, 0n);
  expect(await kindBy(createPublicClient({ transport: http(large, { retryCount: 0 }) }))).toBe("refused");
  const nobody = chainClient(rpcTransport("http://127.0.0.1:9"));
  expect(await kindBy(nobody)).toBe("unanswered");
});

test("a node that refuses one block is an error with its reason, and without what may be its address or key", async () => {
  const reason =
    "Upgrade at https://node.example/v2/secretsecretsecret \n (key aaaabbbbccccddddeeee1111): archive only";
  const refused = logsOf(own(await nodeThat(error(-32600, reason), 0n)));
  await expect(refused).rejects.toBeInstanceOf(HalcyonError);
  await expect(refused).rejects.toMatchObject({ code: "unavailable", param: "rpcUrl" });
  await expect(refused).rejects.toThrow(
    "block 10, and says “Upgrade at … (key …): archive only”. Use an RPC that serves",
  );
  await expect(refused).rejects.not.toThrow(/secret|aaaa/);
});

test("reading shows up to which block it has got", async () => {
  const client = own(await nodeThat(REFUSALS.geth as Said, 40n));
  const shown: [bigint, bigint][] = [];
  watchReads(client, (block, last) => shown.push([block, last]));
  await logsOf(client);
  expect(shown.at(-1)).toEqual([99n, 99n]);
  expect(shown.length).toBeGreaterThan(2);
  expect(shown.every(([block], index) => block > (shown[index - 1]?.[0] ?? 9n))).toBe(true);
});
