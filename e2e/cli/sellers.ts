import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type FacilitatorClient, HTTPFacilitatorClient } from "@x402/core/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import type { Halcyon } from "@/sdk/client";
import { memoryClaims } from "@/sdk/x402/claims";
import { BINARY } from "../binary";
import { startProgram } from "./start-program";

export const NETWORK = "eip155:46630";

/** A seller. */
interface Seller {
  address: string;
  client(): Promise<Halcyon>;
}

/** Optional differences of a shop. */
interface ShopOptions {
  /** Checks payments instead of the shop. */
  facilitator?: FacilitatorClient;
  /** The address that its buyers know. */
  origin?: string;
  price?: string;
}

/** Starts a stock Hono server with the stock middleware. It sells a report, and returns what it is sent in capitals. */
export async function shopOf(seller: Seller, { facilitator, origin, price = "$0.05" }: ShopOptions = {}) {
  const claims = facilitator ? undefined : memoryClaims();
  const selling = await (await seller.client()).x402.seller({ claims, origin });
  const server = new x402ResourceServer(facilitator ?? selling.facilitator).register(NETWORK, selling);
  const terms = { scheme: "confidential", network: NETWORK, payTo: seller.address, maxTimeoutSeconds: 60 } as const;
  const accepts = { ...terms, price };
  const app = new Hono();
  const shop = { url: "", failures: 0, served: 0, close: async () => {} };
  app.use(paymentMiddleware({ "POST /shout": { accepts }, "GET /report": { accepts } }, server));
  app.get("/report", (c) => {
    if (shop.failures-- > 0) return c.text("down", 500);
    shop.served++;
    return c.text("the report");
  });
  app.get("/free", (c) => c.text("for nothing"));
  app.post("/shout", async (c) => c.text(`${c.req.header("x-tone")}: ${(await c.req.text()).toUpperCase()}`));
  const http = createServer(getRequestListener(app.fetch)).listen(0, "127.0.0.1");
  await new Promise((resolve) => http.once("listening", resolve));
  shop.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  shop.close = () => new Promise<void>((resolve) => void http.close(() => resolve()));
  return shop;
}

/** Runs the example. `url` is the address of what it sells. */
export const example = (args: string[], env: Record<string, string>) =>
  startProgram(["examples/seller.mjs", "--port", "0", "--price", "0.05", ...args], env, /Selling (\S+)\n/);

/** Runs `halcyon facilitator`. */
export const facilitator = (args: string[], env: Record<string, string>) =>
  startProgram([BINARY, "facilitator", "--port", "0", ...args], env, /Serving (\S+) /);

/** Returns the published package's client of a facilitator. */
export const facilitatorAt = (url: string) => new HTTPFacilitatorClient({ url });
