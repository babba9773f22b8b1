import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Abi, decodeFunctionData, encodeFunctionResult, erc20Abi, type Hex, zeroAddress } from "viem";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CHAIN_ID } from "@/lib/base/network";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { serve } from "@/test/sdk/serve";
import { ChainUnreachable } from "../api/errors";
import { Http } from "../api/http";
import type { NetworkDocument } from "../api/network-info";
import { PinMismatch } from "../api/pin-mismatch";
import { toHalcyonError } from "../api/to-halcyon-error";
import { Context } from "./context";
import { Pins } from "./pins";
import { FilePins } from "./platform/file-pins";

const [LEDGER, USDG, SALT] = [`0x${"11".repeat(20)}`, `0x${"22".repeat(20)}`, `0x${"33".repeat(32)}`] as const;
const ABI = [...ledgerAbi, ...erc20Abi] as Abi;
const described = {
  network: "test",
  chain_id: CHAIN_ID.test,
  ledger: LEDGER,
  domain_salt: SALT,
  assets: [
    { symbol: "USDG", address: USDG, decimals: 6, unit: "1" },
    { symbol: "ETH", address: zeroAddress, decimals: 9, unit: "1000000000" },
  ],
  local: false,
  rpc_url: "http://127.0.0.1:1",
  finality: "latest",
} satisfies NetworkDocument;

interface Call {
  id: number;
  method: string;
  params: [{ to: Hex; data: Hex }];
}

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "halcyon-pins-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** A node whose ledger and token say what is given, and that counts the requests it gets. */
async function node(says: { chainId?: number; at?: Hex; unit?: bigint; symbol?: string; decimals?: number } = {}) {
  const seen = { requests: 0 };
  const respond = ({ id, method, params }: Call) => {
    if (method === "eth_chainId") return { id, result: `0x${(says.chainId ?? CHAIN_ID.test).toString(16)}` };
    const { functionName, args = [] } = decodeFunctionData({ abi: ABI, data: params[0].data });
    const units: Record<string, bigint> = { [says.at ?? USDG]: says.unit ?? 1n, [zeroAddress]: 10n ** 9n };
    const unit = units[String(args[0]).toLowerCase()] ?? 0n;
    const results: Record<string, unknown> = {
      domainSalt: SALT,
      assetOf: [unit !== 0n, unit, 0n],
      symbol: says.symbol ?? "USDG",
      decimals: says.decimals ?? 6,
    };
    return { id, result: encodeFunctionResult({ abi: ABI, functionName, result: results[functionName] }) };
  };
  const url = await serve(async (request, response) => {
    seen.requests++;
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const replies = Array.isArray(body) ? body.map(respond) : respond(body);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(replies));
  });
  return { url, seen };
}

const contextWith = (rpcUrl: string, document: NetworkDocument = described) =>
  new Context({
    http: new Http("https://pay.example"),
    network: "test",
    pins: new Pins(new FilePins(folder)),
    described: document,
    rpcUrl,
    loadProver: () => Promise.reject(new Error("nothing is proved here")),
  });

test("any number of concurrent calls ask the chain about ledger and assets once, in one request", async () => {
  const { url, seen } = await node();
  const context = contextWith(url);
  const calls = Array.from({ length: 20 }, (_, n) => context.asset(n % 2 ? "USDG" : "ETH"));
  expect((await Promise.all([...calls, context.scope()])).slice(0, 2)).toMatchObject([
    { decimals: 9 },
    { decimals: 6 },
  ]);
  await context.within({}).info();
  expect(seen.requests).toBe(1);
});

test("an asset that ledger or token describe otherwise, or a node of another chain, stops every call", async () => {
  for (const [says, error] of [
    [{ unit: 0n }, "the ledger does not list it"],
    [{ unit: 100n }, "the ledger counts in units of 100"],
    [{ symbol: "USDC" }, "the chain has another asset there"],
    [{ decimals: 18 }, "the chain says 18"],
    [{ chainId: 1 }, "different ledgers"],
  ] as const) {
    const { url } = await node(says);
    await expect(contextWith(url).asset(), error).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining(error),
    });
  }
});

test("a second token of the same name, listed by the ledger, is refused where the first was used", async () => {
  await contextWith((await node()).url).info();
  const [, eth] = described.assets;
  const assets = [{ symbol: "USDG", address: LEDGER, decimals: 6, unit: "1" }, eth];
  const second = contextWith((await node({ at: LEDGER })).url, { ...described, assets } as NetworkDocument);
  await expect(second.info()).rejects.toBeInstanceOf(PinMismatch);
});

test("a service that calls blocks final sooner than before does not move what this machine takes for final", async () => {
  const { url } = await node();
  const finalityOf = async (finality: NetworkDocument["finality"]) =>
    (await contextWith(url, { ...described, finality }).info()).finality;
  expect(await finalityOf("safe")).toBe("safe");
  expect(await finalityOf("latest")).toBe("safe");
  expect(await finalityOf("finalized")).toBe("finalized");
  expect(await finalityOf("safe")).toBe("finalized");
});

test("a node that is away fails with its own error, and the next call asks again", async () => {
  const context = contextWith("http://127.0.0.1:1");
  for (let call = 0; call < 2; call++) {
    expect(await context.asset().catch(toHalcyonError)).toBeInstanceOf(ChainUnreachable);
  }
});
