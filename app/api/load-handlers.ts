import { loadHandlers as loadRest } from "@/app/v1/load-handlers";
import type { RouteModule } from "@/lib/http/direct-handlers";

/**
 * The routes outside /v1 that anyone may call: each of their requests can be a stranger's, so that Next.js's router
 * would be most of what an attack costs. (A pattern would also import next-auth.)
 */
export const OPEN_ROUTES: Readonly<Record<string, () => Promise<RouteModule>>> = {
  "/api/network": () => import("@/app/api/network/route"),
  "/api/notifications/confirm": () => import("@/app/api/notifications/confirm/route"),
  "/api/notifications/unsubscribe": () => import("@/app/api/notifications/unsubscribe/route"),
  "/api/pay/{id}": () => import("@/app/api/pay/[id]/route"),
  "/api/siwe/nonce": () => import("@/app/api/siwe/nonce/route"),
  "/api/views/{id}": () => import("@/app/api/views/[id]/route"),
  "/oauth/authorize": () => import("@/app/oauth/authorize/route"),
  "/x402/settle": () => import("@/app/x402/settle/route"),
  "/x402/supported": () => import("@/app/x402/supported/route"),
  "/x402/verify": () => import("@/app/x402/verify/route"),
};

/** Imports the route handlers of a path of /v1 or one of {@link OPEN_ROUTES}, such as `/v1/transfers/{transfer_id}`. */
export async function loadHandlers(pattern: string): Promise<RouteModule> {
  const open = OPEN_ROUTES[pattern];
  return open ? open() : loadRest(pattern.slice("/v1/".length).replace(/\{(\w+)\}/g, "[$1]"));
}
