import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import { Halcyon } from "@/sdk/client";
import { fileClaims } from "@/sdk/x402/file-claims";
import { closedLoop, median, quantile, round } from "./measure";
import type { Payer, Product } from "./start-product";

const NETWORK = "eip155:46630";
const PRICE = "0.05";
const ROUNDS = 30;

/** Starts a standard server that sells a report and counts how often it served it. */
async function shopOf({ client }: Payer, claims: string) {
  const selling = await client.x402.seller({ claims: fileClaims(claims) });
  const { public_key: payTo } = await client.account.getByWallet();
  const server = new x402ResourceServer(selling.facilitator).register(NETWORK, selling);
  const accepts = {
    scheme: "confidential",
    network: NETWORK,
    payTo,
    price: `$${PRICE}`,
    maxTimeoutSeconds: 60,
  } as const;
  const app = new Hono();
  const sold = { url: "", served: 0 };
  app.use(paymentMiddleware({ "GET /report": { accepts } }, server));
  app.get("/report", (c) => {
    sold.served++;
    return c.text("Your report");
  });
  const http = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  sold.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/report`;
  return { sold, close: () => http.close() };
}

/**
 * Creates an agent of an account, with money and a policy that allows the measured payments. Returns a client with only
 * its key.
 */
async function agentOf({ client: owner }: Payer, url: string, configDir: string): Promise<Halcyon> {
  const policy = {
    daily_limit_usdg: 100_000,
    per_transaction_limit_usdg: 10,
    hitl_threshold_usdg: 10,
    allowed_recipients: ["*"],
  };
  const { handle } = await owner.agents.create({ name: "buyer", spendPolicy: policy });
  await owner.transfers.create({ to: handle, amount: "1000", clientSigned: true });
  const { api_key: apiKey } = await owner.keys.create({ label: "402", agent: handle });
  return new Halcyon({ url, apiKey, configDir });
}

/** Makes calls one after the other for at most `minutes`. Fails if a call fails. */
async function sequence(calls: number, minutes: number, call: () => Promise<void>) {
  const end = performance.now() + minutes * 60_000;
  const times: number[] = [];
  const start = performance.now();
  while (times.length < calls && performance.now() < end) {
    const before = performance.now();
    await call();
    times.push(performance.now() - before);
  }
  const seconds = (performance.now() - start) / 1_000;
  const [p50, p99] = [round(median(times)), round(quantile(times, 0.99))];
  return { count: times.length, p50, p99, perSecond: round(times.length / seconds) };
}

/**
 * Measures the time from a 402 to its 200 for an agent with its API key, against a payment of the same agent that waits
 * until it is final, in alternation. With HALCYON_BENCH_402_CALLS, also makes that many calls in sequence, none of
 * which may be lost, for at most HALCYON_BENCH_402_MINUTES (default: 10).
 */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const [owner, seller] = await product.payers(2);
  if (!owner || !seller) throw new Error("there are no accounts");
  const folder = mkdtempSync(join(tmpdir(), "halcyon-bench-402-"));
  const agent = await agentOf(owner, product.url, folder);
  const shop = await shopOf(seller, join(folder, "claims"));
  const { public_key: payee } = await seller.client.account.getByWallet();
  const plain = async () => void (await agent.transfers.create({ to: payee, amount: PRICE }));
  const paid = async () => {
    const { response } = await agent.x402.pay(shop.sold.url, { max: PRICE });
    if (response.status !== 200) throw new Error(`the seller responded ${response.status}: ${await response.text()}`);
  };
  try {
    await closedLoop(1, 10, plain);
    await closedLoop(1, 10, paid);
    const rounds = { plain: [] as number[], paid: [] as number[] };
    for (let i = 0; i < ROUNDS; i++) {
      rounds.plain.push((await closedLoop(1, 1, plain)).p50);
      rounds.paid.push((await closedLoop(1, 1, paid)).p50);
    }
    const calls = Number(process.env.HALCYON_BENCH_402_CALLS ?? 0);
    const before = shop.sold.served;
    const minutes = Number(process.env.HALCYON_BENCH_402_MINUTES ?? 10);
    const many = calls > 0 ? await sequence(calls, minutes, paid) : undefined;
    if (shop.sold.served !== before + (many?.count ?? 0)) throw new Error("a call was lost");
    return {
      payment_ms: round(median(rounds.plain)),
      from_402_to_200_ms: round(median(rounds.paid)),
      ratios: { from_402_to_200_over_payment: round(median(rounds.paid) / median(rounds.plain)) },
      goals: { from_402_to_200_over_payment: "<= 1.3" },
      ...(many && { sequential: many }),
    };
  } finally {
    shop.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
