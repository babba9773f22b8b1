import { loadHandlers as loadRest } from "@/app/v1/load-handlers";
import type { RouteModule } from "@/lib/http/direct-handlers";

/** The routes outside /v1 and /api that are declared with `route()`. */
export const OPEN_ROUTES: Readonly<Record<string, () => Promise<RouteModule>>> = {
  "/oauth/authorize": () => import("@/app/oauth/authorize/route"),
  "/x402/settle": () => import("@/app/x402/settle/route"),
  "/x402/supported": () => import("@/app/x402/supported/route"),
  "/x402/verify": () => import("@/app/x402/verify/route"),
};

/**
 * Imports the route handlers of a path of /v1, of /api, or one of {@link OPEN_ROUTES}, such as
 * `/v1/transfers/{transfer_id}`. A pattern lets a bundler find all of a folder; next-auth's route, which needs Next.js,
 * stands in a folder of its own (app/(next-auth)).
 */
export async function loadHandlers(pattern: string): Promise<RouteModule> {
  const open = OPEN_ROUTES[pattern];
  if (open) return open();
  const [, root, ...rest] = pattern.replace(/\{(\w+)\}/g, "[$1]").split("/");
  return root === "v1" ? loadRest(rest.join("/")) : import(`./${rest.join("/")}/route.ts`);
}
