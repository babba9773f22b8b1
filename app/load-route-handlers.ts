import type { RouteModule } from "@/lib/http/direct-handlers";

/**
 * Imports the route handlers of a path of `DIRECT_PATHS` (lib/http/routes.ts), such as `/v1/transfers/{transfer_id}`. The
 * patterns let a bundler find all of a folder.
 */
export async function loadRouteHandlers(at: string): Promise<RouteModule> {
  const [, root, ...rest] = at.replace(/\{(\w+)\}/g, "[$1]").split("/");
  const folder = rest.join("/");
  switch (root) {
    case "v1":
      return import(`./v1/${folder}/route.ts`);
    case "api":
      return import(`./api/${folder}/route.ts`);
    case "x402":
      return import(`./x402/${folder}/route.ts`);
    case "oauth":
      return import(`./oauth/${folder}/route.ts`);
    default:
      throw new Error(`${at} has no folder here`);
  }
}
