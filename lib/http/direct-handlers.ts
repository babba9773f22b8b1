import type { RouteHandler } from "./declared-route";

/** The exports of a `route.ts`, by method. */
export type RouteModule = Readonly<Record<string, RouteHandler | undefined>>;

/** A handler, with the parameters from its path. */
export interface FoundHandler {
  handler: RouteHandler;
  params: Record<string, string>;
}

/** Finds the handler for a method and a path (without query), like Next.js's router would. */
export type FindHandler = (method: string, path: string) => FoundHandler | undefined;

/**
 * Loads the handlers of some routes once, so that requests for them don't need Next.js's router.
 *
 * @param patterns paths such as `/v1/transfers/{transfer_id}`; of two that match, the first counts
 * @param load imports the module of a pattern
 */
export async function directHandlers(
  patterns: readonly string[],
  load: (folder: string) => Promise<RouteModule>,
): Promise<FindHandler> {
  const modules = await Promise.all(patterns.map(async (pattern) => ({ pattern, module: await load(pattern) })));
  const fixed = new Map<string, RouteModule>();
  const dynamic: { expression: RegExp; module: RouteModule }[] = [];
  for (const { pattern, module } of modules) {
    if (!pattern.includes("{")) fixed.set(pattern, module);
    else dynamic.push({ expression: new RegExp(`^${pattern.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`), module });
  }
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
