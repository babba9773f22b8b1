import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { FacilitatorClient } from "@x402/core/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import { Mppx } from "mppx/server";
import type { Context } from "@/sdk/context/context";
import { memoryClaims } from "@/sdk/x402/claims";
import { halcyonServer } from "@/sdk/x402/mpp";
import { type SellingOptions, SellingScheme } from "@/sdk/x402/selling-scheme";

export const NETWORK = "eip155:46630";
const PRICE = "$0.05";

/** A server that sells, and what it has done. */
export interface Shop {
  url: string;
  served: number;
  /** The statuses of the next responses, before the shop serves again. */
  failures: number;
  /** How many of the next paid responses are lost after the handler has run. */
  lost: number;
}

export interface ShopOptions extends Partial<SellingOptions> {
  price?: string | { asset: string; amount: string };
  flow?: "upfront";
  facilitator?: FacilitatorClient;
  /** Called for each request with its response. */
  watch?: (request: Request, response: Response) => void;
}

/** Starts a server on a free port. Resolves with its address. */
export async function listenOn(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/**
 * Starts a stock Hono server with the stock middleware that sells `/report` and `/other`.
 *
 * @param seller the seller's own client
 * @param listen starts the server
 */
export async function openShop(
  seller: Context,
  payTo: string,
  options: ShopOptions = {},
  listen: (server: Server) => Promise<string> = listenOn,
): Promise<Shop> {
  const { price = PRICE, flow, facilitator, watch, ...rest } = options;
  const claims = "claims" in options ? options.claims : memoryClaims();
  const scheme = new SellingScheme(seller, { ...rest, claims });
  const server = new x402ResourceServer(facilitator ?? scheme.facilitator).register(NETWORK, scheme);
  const terms = { scheme: "confidential", network: NETWORK, payTo, price, maxTimeoutSeconds: 60 } as const;
  const accepts = { ...(flow && { extra: { paymentFlow: flow } }), ...terms };
  const app = new Hono();
  const shop: Shop = { url: "", served: 0, failures: 0, lost: 0 };
  app.use(paymentMiddleware({ "GET /report": { accepts }, "GET /other": { accepts } }, server));
  app.get("*", (c) => {
    if (shop.failures-- > 0) return c.text("down", 500);
    shop.served++;
    return c.text("the report");
  });
  const listener = getRequestListener(async (request) => {
    const response = await app.fetch(request);
    watch?.(request, response);
    return response;
  });
  shop.url = await listen(
    createServer((request, response) => {
      if (shop.lost > 0 && request.headers["payment-signature"]) {
        // The handler runs, but its response does not arrive.
        response.writeHead = () => {
          if (!request.socket.destroyed) shop.lost--;
          request.socket.destroy();
          return response;
        };
      }
      void listener(request, response);
    }),
  );
  return shop;
}

const secretKey = "a secret of the seller's server, 32 bytes or more";

/** Starts a Hono server that sells over MPP. `price` is in the token's smallest units. */
export async function openMppShop(
  seller: Context,
  recipient: string,
  price = "50000",
  listen: (server: Server) => Promise<string> = listenOn,
): Promise<Pick<Shop, "url" | "served">> {
  const scheme = new SellingScheme(seller, { claims: memoryClaims() });
  const { address: currency } = await seller.asset();
  const mppx = Mppx.create({ methods: [halcyonServer(scheme, { currency, recipient })], secretKey });
  const shop = { url: "", served: 0 };
  const app = new Hono();
  app.get("*", async (c) => {
    const paid = await mppx.charge({ amount: price })(c.req.raw);
    if (paid.status === 402) return paid.challenge;
    shop.served++;
    return paid.withReceipt(new Response("the report"));
  });
  shop.url = await listen(createServer(getRequestListener(app.fetch)));
  return shop;
}
