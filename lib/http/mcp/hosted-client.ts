import type { KeyContext } from "@/lib/base/context/context";
import { giveWay } from "@/lib/base/current-account";
import { env } from "@/lib/base/env";
import { chainEnv } from "@/lib/chain/clients";
import { publicFetch, UrlRefused } from "@/lib/events/webhooks/delivery/public-fetch";
import { claimRequest } from "@/lib/http/connections/claim-request";
import { OpenOffers } from "@/lib/http/connections/open-offers";
import { mcpResource } from "@/lib/http/connections/resource";
import { HalcyonError, NoResponse } from "@/sdk/api/errors";
import { contextOf } from "@/sdk/context/context-of";
import type { PinStore } from "@/sdk/context/pins";
import { NodeClient } from "@/sdk/node-client";
import { type OwnOperations, ownOperations } from "./own-operations";

/** Time limit of a request to a seller. A tool's response waits for at most two of these. */
const TIMEOUT_MS = 25_000;
/** Hosts abandon a call after a minute. A payment that is not final by then goes on, and the same call continues it. */
const WAIT_MS = 40_000;

/**
 * Returns a client of the agent whose tools this process serves. It runs the service's own operations with the
 * connection's access token.
 */
export function hostedClient(ctx: KeyContext, token: string, operations: OwnOperations): NodeClient {
  const { network, chainId, clientAddress, account } = ctx;
  const { local, rpcUrl } = chainEnv(chainId);
  const holder = { authorization: `Bearer ${token}`, audience: mcpResource(network), clientAddress };
  const context = contextOf(
    {
      network,
      apiKey: token,
      rpcUrl,
      maxRetries: 0,
      timeout: TIMEOUT_MS,
      waitTimeout: WAIT_MS,
      fetch: claiming(ctx, ownOperations(operations, holder)),
    },
    { url: env().origin, pins: () => NO_PINS, loadProver: refuseToProve },
  );
  return new NodeClient(context, {
    offers: new OpenOffers(ctx),
    fetch: sellerFetch(local),
    payer: account.address,
  });
}

/**
 * Refuses a request with an `Idempotency-Key` that another token of the agent has used, because that token may have
 * made the request already.
 */
function claiming(ctx: KeyContext, own: typeof fetch): typeof fetch {
  return async (input, init) => {
    const key = new Headers(init?.headers).get("idempotency-key");
    if (key === null || (await claimRequest(ctx, key))) return own(input, init);
    throw new NoResponse(
      "outcome_unknown",
      "An earlier connection of this agent used this idempotency_key. What it asked for may have been paid: look at " +
        "list_transfers and list_held_payments before you pay again, with a new one.",
    );
  };
}

/** An agent's payments are made by the service's operations, so nothing is proved here. */
async function refuseToProve(): Promise<never> {
  throw new HalcyonError("internal", "Payments of applications are proved by the service.");
}

/** Pins detect a service that contradicts itself. This client is the service itself, so it needs none. */
const NO_PINS: PinStore = {
  remedy: () => "",
  pin: async (_, value) => value,
  raise: async (_, value) => value,
  peek: async () => undefined,
};

function sellerFetch(local: boolean): typeof fetch {
  const reach = publicFetch(local);
  return (input, init) => {
    giveWay();
    return reach(input, init).catch((error: unknown) => {
      if (!(error instanceof UrlRefused)) throw error;
      throw new HalcyonError("invalid_request", `The URL ${error.message}.`, { param: "url" });
    });
  };
}
