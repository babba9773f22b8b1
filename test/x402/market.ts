import type { Server } from "node:http";
import { x402Client } from "@x402/core/client";
import { wrapFetchWithPayment } from "@x402/fetch";
import { expect } from "vitest";
import { env } from "@/lib/base/env";
import { decryptFunds } from "@/sdk/account/funds/funds";
import { partyOf } from "@/sdk/account/party";
import type { Context } from "@/sdk/context/context";
import { send } from "@/sdk/payments/send";
import { KeysResource } from "@/sdk/resources/keys-resource";
import { TransfersResource } from "@/sdk/resources/transfers-resource";
import { X402Resource } from "@/sdk/resources/x402-resource";
import type { PaymentRequirements } from "@/sdk/x402/wire";
import { Agent } from "../accounts/agent";
import { Owner, settled } from "../accounts/owner";
import { clientOf } from "../services/in-process-service";
import { startWorkingServices, type WorkingServices } from "../services/working-services";
import { memoryTexts } from "./memory-texts";
import { listenOn, NETWORK, openShop, type Shop, type ShopOptions } from "./shop";

const CHAIN = 46630;

/** A shop's options, and the seller's own client if it has one. */
interface MarketShopOptions extends ShopOptions {
  context?: Context;
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
    await send(await clientFor(owner), { to: `@${agent.account.handle}`, amount: "20", clientSigned: true });
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
  readonly listen = (server: Server): Promise<string> => {
    this.closing(() => new Promise((resolve) => server.close(() => resolve())));
    return listenOn(server);
  };

  /** Starts a shop of someone, which closes with the market. */
  readonly open = async (who: Owner, { context, ...options }: MarketShopOptions = {}): Promise<Shop> =>
    openShop(context ?? (await clientFor(who)), who.address, options, this.listen);

  /** Returns what the agent can pay with, in units. */
  readonly available = async (): Promise<bigint> => {
    const context = await clientFor(this.owner);
    const party = await partyOf(context, `@${this.agent.account.handle}`);
    return (await decryptFunds(context, party, await context.asset())).available.limit;
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
    const scheme = await new X402Resource(context, { offers: memoryTexts(), fetch: recording }).buyer();
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
