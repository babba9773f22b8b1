import { assetsOf } from "@/lib/base/assets";
import type { KeyContext } from "@/lib/base/context/context";
import { giveWay } from "@/lib/base/current-account";
import { chainEnv, publicClient } from "@/lib/chain/clients";
import { scopeOf } from "@/lib/chain/scope-of";
import { untilChanged } from "@/lib/events/stream/until-changed";
import { publicFetch, UrlRefused } from "@/lib/events/webhooks/delivery/public-fetch";
import { OpenOffers } from "@/lib/http/connections/open-offers";
import { Call } from "@/sdk/api/call";
import { HalcyonError } from "@/sdk/api/errors";
import type { DryRun, Transfer } from "@/sdk/api/resources/transfers";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import type { ToolAgent } from "@/sdk/mcp/agent";
import { orResponseLost } from "@/sdk/payments/attempts/or-response-lost";
import { TransferFailed } from "@/sdk/payments/attempts/transfer-failed";
import { type AcceptedTransfer, TransferNotFinal } from "@/sdk/payments/attempts/transfer-not-final";
import { serverSignedBody } from "@/sdk/payments/server-signed-body";
import { payForResource, priceOf } from "@/sdk/x402/buy";
import type { Buyer, ServicePayments } from "@/sdk/x402/buyer";
import { sellerFetch } from "@/sdk/x402/seller-request";
import type { RunOperation } from "./run-operations";

/**
 * The time limit of a request to a seller, and how long a payment to one may take. Hosts abandon a call after a minute:
 * a payment that is not final by then goes on, and the same call continues it.
 */
const LIMITS = new Call({ timeout: 25_000, waitTimeout: 40_000 });

/** Returns the agent of a connection, which does what the operations of this service do. */
export function connectedAgent(ctx: KeyContext, run: RunOperation): ToolAgent {
  const service = paymentsBy(ctx, run);
  const buyer = buyerOf(ctx, service);
  return {
    pay: (payment, idempotencyKey) => service.pay({ ...payment, idempotencyKey }),
    dryRun: service.dryRun,
    followed: service.followed,
    transfers: ({ ...query }) => run("listTransfers", { query }),
    heldPayment: (id) => run("getHeldPayment", { id }),
    heldPayments: ({ ...query }) => run("listPendingPayments", { query }),
    policy: () => run("getSpendPolicy", { id: ctx.account.id }),
    balances: () => run("proveBalances"),
    price: (url, request) => priceOf(buyer, url, request),
    payForUrl: (url, request) => payForResource(buyer, url, request),
  };
}

type Payment = Parameters<typeof serverSignedBody>[0];

function paymentsBy({ chainId, account: { rootId } }: KeyContext, run: RunOperation) {
  const read = (id: string, query = {}) => run<Transfer>("getTransfer", { id, query });
  const untilFinal = (id: string, until: number, see: (now: Transfer) => void) =>
    untilChanged(
      { chainId, rootId },
      async () => {
        const now = await read(id);
        see(now);
        return now.status === "pending" ? undefined : now;
      },
      until,
    );
  return {
    pay: ({ idempotencyKey, ...payment }: Payment & { idempotencyKey: string }) =>
      orResponseLost(idempotencyKey, run("createTransfer", { json: serverSignedBody(payment), idempotencyKey })),
    dryRun: (payment: Payment) =>
      run<DryRun>("createTransfer", { query: { dry_run: "true" }, json: serverSignedBody(payment) }),
    held: (id) => run("getHeldPayment", { id }),
    exact: (id) => read(id, { include: "exact" }),
    async followed(accepted: Transfer, until: number) {
      let latest = accepted;
      const see = (now: Transfer) => {
        latest = now;
      };
      // The service has accepted the payment, so a failed look is not a failure of the payment.
      await untilFinal(accepted.transfer_id, until, see).catch(() => {});
      return latest;
    },
    async settled(transfer_id) {
      let latest: AcceptedTransfer = { transfer_id };
      const see = (now: Transfer) => {
        latest = now;
      };
      const until = Date.now() + LIMITS.waitTimeout;
      const final = await untilFinal(transfer_id, until, see).catch((error: unknown) => {
        throw new TransferNotFinal(latest, toHalcyonError(error));
      });
      if (!final) throw new TransferNotFinal(latest);
      if (final.status === "failed") throw new TransferFailed(final);
      return final;
    },
  } satisfies ServicePayments & Pick<ToolAgent, "followed">;
}

function buyerOf(ctx: KeyContext, byService: ServicePayments): Buyer {
  const { chainId, account } = ctx;
  return {
    fetch: sellerFetch(LIMITS, reachSellers(chainEnv(chainId).local)),
    offers: new OpenOffers(ctx),
    byService,
    // Shared by all connections of the agent, each of which has its own token.
    recordsOf: async () => account.address,
    info: async () => ({ chainId, assets: assetsOf(chainId) }),
    scope: () => scopeOf(chainId),
    async now() {
      const { timestamp } = await publicClient(chainId).getBlock({ blockTag: "latest" });
      const clock = BigInt(Math.floor(Date.now() / 1000));
      return clock > timestamp ? clock : timestamp;
    },
    async prepare() {
      throw new HalcyonError("internal", "Payments of applications are proved by the service.");
    },
  };
}

function reachSellers(local: boolean): typeof fetch {
  const reach = publicFetch(local);
  return (input, init) => {
    giveWay();
    return reach(input, init).catch((error: unknown) => {
      if (!(error instanceof UrlRefused)) throw error;
      throw new HalcyonError("invalid_request", `The URL ${error.message}.`, { param: "url" });
    });
  };
}
