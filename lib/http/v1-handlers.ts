import type { RouteHandler } from "./declared-route";
import { V1_ROUTES } from "./routes";

/** The exports of `app/v1/<folder>/route.ts`, by method. */
export type RouteModule = Readonly<Record<string, RouteHandler | undefined>>;

/** A handler, with the parameters from its path. */
export interface FoundHandler {
  handler: RouteHandler;
  params: Record<string, string>;
}

/** Finds the handler for a method and a path (without query), like Next.js's router would. */
export type FindHandler = (method: string, path: string) => FoundHandler | undefined;

/**
 * Loads every handler of the API once, so that requests don't need Next.js's router.
 *
 * @param load imports the module of a folder below `app/v1`, such as `transfers/[transfer_id]`
 */
export async function v1Handlers(load: (folder: string) => Promise<RouteModule>): Promise<FindHandler> {
  const fixed = new Map<string, RouteModule>();
  const dynamic: { expression: RegExp; module: RouteModule }[] = [];
  await Promise.all(
    Object.keys(V1_ROUTES).map(async (pattern) => {
      const module = await load(pattern.slice("/v1/".length).replace(/\{(\w+)\}/g, "[$1]"));
      if (!pattern.includes("{")) fixed.set(pattern, module);
      else dynamic.push({ expression: new RegExp(`^${pattern.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`), module });
    }),
  );
  return (method, path) => {
    const module = fixed.get(path);
    if (module) return found(module, method, {});
    for (const { expression, module } of dynamic) {
      const match = expression.exec(path);
      if (match) return found(module, method, match.groups ?? {});
    }
    return undefined;
  };
}

function found(module: RouteModule, method: string, groups: Record<string, string>): FoundHandler | undefined {
  const handler = module[method] ?? (method === "HEAD" ? module.GET : undefined);
  const params = Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  return handler && { handler, params };
}
