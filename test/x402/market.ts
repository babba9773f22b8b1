import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { x402Client } from "@x402/core/client";
import type { FacilitatorClient } from "@x402/core/server";
import { wrapFetchWithPayment } from "@x402/fetch";
import { paymentMiddleware, x402ResourceServer } from "@x402/hono";
import { Hono } from "hono";
import { expect } from "vitest";
import { env } from "@/lib/base/env";
import { openFunds } from "@/sdk/account/funds/funds";
import { partyOf } from "@/sdk/account/party";
import type { Context } from "@/sdk/context/context";
import type { TextStore } from "@/sdk/context/text-store";
import { send } from "@/sdk/payments/send";
import { KeysResource } from "@/sdk/resources/keys-resource";
import { TransfersResource } from "@/sdk/resources/transfers-resource";
import { memoryClaims } from "@/sdk/x402/claims";
import { PayingScheme } from "@/sdk/x402/paying-scheme";
import { type SellingOptions, SellingScheme } from "@/sdk/x402/selling-scheme";
import type { PaymentRequirements } from "@/sdk/x402/wire";
import { Agent } from "../accounts/agent";
import { Owner, settled } from "../accounts/owner";
import { clientOf } from "../services/in-process-service";
import { startWorkingServices, type WorkingServices } from "../services/working-services";

const CHAIN = 46630;
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
  /** The seller's own client. */
  context?: Context;
  /** Called for each request with its response. */
  watch?: (request: Request, response: Response) => void;
}

/** Buyers and sellers with the published x402 packages, unmodified, over real HTTP, with real payments and proofs. */
export class Market {
  private readonly closers: (() => Promise<void>)[] = [];

  private constructor(
    private readonly services: WorkingServices,
    readonly owner: Owner,
    readonly payee: Owner,
    readonly other: Owner,
    /** An agent of `owner` with money and a policy that allows every recipient and requires approval above 1 USDG. */
    readonly agent: Agent,
    /** A client with the agent's API key. */
    readonly buyer: Context,
  ) {}

  static async start(): Promise<Market> {
    const services = await startWorkingServices();
    const [owner, payee, other] = [
      await Owner.funded(CHAIN, 100_000_000n),
      await Owner.funded(CHAIN, 1_000_000n),
      await Owner.funded(CHAIN, 1_000_000n),
    ];
    const { agent, operationId } = await Agent.create(owner, { hitlThreshold: 1_000_000n });
    await settled(operationId);
    await send(await clientFor(owner), { to: `@${agent.account.handle}`, amount: "20", prepared: true });
    const buyer = await withKey(owner, `@${agent.account.handle}`);
    return new Market(services, owner, payee, other, agent, buyer);
  }

  readonly stop = async (): Promise<void> => {
    for (const close of this.closers) await close();
    await this.services.stop();
  };

  /** Stops the worker while `work` runs. */
  readonly withoutWorker = <T>(work: () => Promise<T>): Promise<T> => this.services.withoutWorker(work);

  /** Registers something to close with the market. */
  readonly closing = (close: () => Promise<void>): void => void this.closers.push(close);

  /** Starts a server on a free port. Resolves with its address. */
  readonly listen = async (server: Server): Promise<string> => {
    server.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    this.closing(() => new Promise((resolve) => server.close(() => resolve())));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  /** Starts a stock Hono server with the stock middleware that sells `/report` and `/other`. */
  readonly open = async (who: Owner, options: ShopOptions = {}): Promise<Shop> => {
    const { price = PRICE, flow, facilitator, context, watch, ...rest } = options;
    const claims = "claims" in options ? options.claims : memoryClaims();
    const scheme = new SellingScheme(context ?? (await clientFor(who)), { ...rest, claims });
    const server = new x402ResourceServer(facilitator ?? scheme.facilitator).register(NETWORK, scheme);
    const terms = {
      scheme: "confidential",
      network: NETWORK,
      payTo: who.address,
      price,
      maxTimeoutSeconds: 60,
    } as const;
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
    shop.url = await this.listen(
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
  };

  /** Returns what the agent can pay with, in units. */
  readonly available = async (): Promise<bigint> => {
    const context = await clientFor(this.owner);
    const party = await partyOf(context, `@${this.agent.account.handle}`);
    return (await openFunds(context, party, await context.asset())).budget.limit;
  };

  /** Returns a purchase function with the stock client, which remembers what it presented. */
  readonly purchaser = async (context: Context = this.buyer) => {
    const presented: string[] = [];
    const recording: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      const header = request.headers.get("payment-signature");
      if (header) presented.push(header);
      return fetch(request);
    };
    const scheme = await new PayingScheme(context, recording, memoryTexts()).ready();
    const paying = wrapFetchWithPayment(scheme.fetch, new x402Client().register(NETWORK, scheme));
    return { paying, presented, scheme };
  };
}

export const rpc = () => env().chains.test.rpcUrl;

/** Returns a client with someone's wallet or API key. */
export const clientFor = (who: Owner, apiKey?: string): Promise<Context> =>
  clientOf(who.walletKey, rpc(), apiKey ? { apiKey } : {});

/** Returns a client with a new key of an account, or of its agent `name`. */
export async function withKey(who: Owner, name?: string): Promise<Context> {
  const input = { label: "402", ...(name !== undefined && { agent: name }) };
  const { api_key: apiKey } = await new KeysResource(await clientFor(who)).create(input);
  return clientFor(who, apiKey);
}

export function memoryTexts(): TextStore {
  const texts = new Map<string, string>();
  return {
    get: async (name) => texts.get(name),
    set: async (name, text) => void texts.set(name, text),
    add: async (name, text) => !texts.has(name) && Boolean(texts.set(name, text)),
    delete: async (name) => void texts.delete(name),
  };
}

export const present = (url: string, header: string) => fetch(url, { headers: { "payment-signature": header } });

/** Returns why a seller refuses a payment: the error of its next offer. */
export async function refusal(response: Response): Promise<string | undefined> {
  expect(response.status).toBe(402);
  return JSON.parse(atob(response.headers.get("payment-required") ?? "")).error;
}

/** Returns the first offer of a 402. */
export function offerOf(response: Response): PaymentRequirements {
  return JSON.parse(atob(response.headers.get("payment-required") ?? "")).accepts[0];
}

/** Returns what someone has received, newest first, decrypted by their own client. */
export async function receivedBy(who: Owner) {
  const { transfers } = await new TransfersResource(await clientFor(who)).listDecrypted();
  return transfers.filter(({ direction }) => direction === "received");
}
