import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { getRequestListener } from "@hono/node-server";
import { expect } from "@playwright/test";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import { Halcyon } from "@/sdk/client";
import type { Caller } from "../halcyon";
import { ok } from "./commands";

const ROOT = path.resolve(import.meta.dirname, "../..");
const NETWORK = "eip155:46630";

/** Prices in units of USDG, each of a different size and with all six decimals. */
const AMOUNTS = { funded: 15_817_302_664n, sold_by_example: 4_913_774_081n, sold_by_stock: 5_864_209_537n };
const decimal = (units: bigint): string => `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, "0")}`;

/** Starts a process of the seller, whose output goes to a file. Resolves once it is open. */
async function started(args: string[], env: NodeJS.ProcessEnv, log: string, open: RegExp) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  const file = createWriteStream(log);
  const url = await new Promise<string>((resolve, reject) => {
    let said = "";
    const hear = (chunk: Buffer) => {
      file.write(chunk);
      said += chunk;
      const [, at] = open.exec(said) ?? [];
      if (at) resolve(at);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("exit", (status) => reject(new Error(`${args[0]} ended with ${status}: ${said}`)));
  });
  return { child, url };
}

async function ended(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill();
  await gone;
}

/** Headers that are left out of the recording: the offers and their echo, which contain the seller's own price. */
const OFFERS = ["payment-required", "payment-signature"];
const headersOf = (headers: Headers) => JSON.stringify([...headers].filter(([name]) => !OFFERS.includes(name)));

/** A seller's folder, which is searched afterwards, and the recording of its responses. */
export interface SellerPlace {
  folder: string;
  keep: (text: string) => void;
}

/**
 * Has an agent buy over HTTP 402 from the example, and from a stock server whose seller runs its own facilitator.
 *
 * @returns amounts that must not be found anywhere
 */
export async function liveAsSeller(
  owner: Caller,
  seller: Caller,
  { folder, keep }: SellerPlace,
): Promise<Record<string, bigint>> {
  const limits = ["--daily-limit", "50000", "--per-transaction-limit", "20000", "--threshold", "10000"];
  const { handle } = await ok<{ handle: string }>(owner, "agents", "create", "buyer", ...limits, "--recipients", "*");
  await ok(owner, "send", "--to", handle, "--amount", decimal(AMOUNTS.funded));
  const keys = ["keys", "create", "--label", "402", "--agent", handle];
  const { api_key: apiKey } = await ok<{ api_key: string }>(owner, ...keys);
  const buyer: Caller = { url: owner.url, apiKey, env: owner.env };
  const { address: payTo } = await ok<{ address: string }>(seller, "whoami");
  const configDir = path.join(folder, "config");
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: "production",
    HALCYON_URL: seller.url,
    HALCYON_WALLET_KEY: seller.walletKey,
    HALCYON_CONFIG_DIR: configDir,
  };
  const bought = async (url: string, price: string) =>
    expect(await ok(buyer, "pay", url, "--max", price)).toMatchObject({ paid: true, status: 200, amount: price });

  const price = decimal(AMOUNTS.sold_by_example);
  const example = await started(
    ["examples/seller.mjs", "--port", "0", "--pay-to", payTo, "--price", price],
    env,
    path.join(folder, "seller.log"),
    /Selling (\S+)\n/,
  );
  try {
    await bought(example.url, price);
  } finally {
    await ended(example.child);
  }

  const facilitator = await started(
    ["sdk/bin/halcyon.mjs", "facilitator", "--port", "0", "--claims", path.join(folder, "claims")],
    env,
    path.join(folder, "facilitator.log"),
    /Serving (\S+) /,
  );
  const client = new Halcyon({ url: seller.url, walletKey: seller.walletKey as `0x${string}`, configDir });
  const selling = await client.x402.seller({});
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitator.url }));
  const dear = decimal(AMOUNTS.sold_by_stock);
  const terms = { scheme: "confidential", network: NETWORK, payTo, maxTimeoutSeconds: 60 } as const;
  const app = new Hono();
  const accepts = { ...terms, price: dear };
  app.use(paymentMiddleware({ "GET /report": { accepts } }, server.register(NETWORK, selling)));
  app.get("/report", (c) => c.text("the report"));
  const listener = getRequestListener(async (request) => {
    const response = await app.fetch(request);
    keep(
      [request.url, headersOf(request.headers), headersOf(response.headers), await response.clone().text()].join("\n"),
    );
    return response;
  });
  const http = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  try {
    await bought(`http://127.0.0.1:${(http.address() as AddressInfo).port}/report`, dear);
  } finally {
    await Promise.all([ended(facilitator.child), new Promise((resolve) => http.close(resolve))]);
  }
  // Its owner decrypts them, which proves that the canaries were really processed.
  const { transfers } = await ok<{ transfers: { amount: string }[] }>(seller, "transfers");
  expect(transfers.map(({ amount }) => amount)).toEqual(expect.arrayContaining([price, dear]));
  const spent = AMOUNTS.sold_by_example + AMOUNTS.sold_by_stock;
  return { ...AMOUNTS, spent, left_to_agent: AMOUNTS.funded - spent };
}
