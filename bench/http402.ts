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
import { closedLoop, median, round } from "./measure";
import type { Payer, Product } from "./product";

const NETWORK = "eip155:46630";
const PRICE = "0.05";
const ROUNDS = 30;

/** A stock server that sells a report, which counts what it has served. */
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
 * From a 402 to its 200, of one caller with an API key, against a payment that waits to be final, by turns. With
 * HALCYON_BENCH_402_CALLS also so many calls, one after the other, of which none may be lost.
 */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const [buyer, seller] = await product.payers(2);
  if (!buyer || !seller) throw new Error("there are no accounts");
  const folder = mkdtempSync(join(tmpdir(), "halcyon-bench-402-"));
  const client = new Halcyon({ url: product.url, apiKey: buyer.apiKey, configDir: folder });
  const shop = await shopOf(seller, join(folder, "claims"));
  const plain = async () => void (await client.transfers.create({ to: "@demo", amount: PRICE }));
  const paid = async () => {
    const { response } = await client.x402.pay(shop.sold.url, { max: PRICE });
    if (response.status !== 200) throw new Error(`the seller responded ${response.status}: ${await response.text()}`);
  };
  try {
    await closedLoop(1, 5, plain);
    await closedLoop(1, 5, paid);
    const rounds = { plain: [] as number[], paid: [] as number[] };
    for (let i = 0; i < ROUNDS; i++) {
      rounds.plain.push((await closedLoop(1, 1, plain)).p50);
      rounds.paid.push((await closedLoop(1, 1, paid)).p50);
    }
    const calls = Number(process.env.HALCYON_BENCH_402_CALLS ?? 0);
    const before = shop.sold.served;
    const many = calls > 0 ? await closedLoop(1, calls, paid) : undefined;
    if (shop.sold.served !== before + calls) throw new Error("a call was lost");
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
