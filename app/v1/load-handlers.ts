import type { RouteModule } from "@/lib/http/direct-handlers";

/**
 * Imports the route handlers of a folder, such as `transfers/[transfer_id]`. The pattern lets a bundler find all of
 * them.
 */
export async function loadHandlers(folder: string): Promise<RouteModule> {
  return import(`./${folder}/route.ts`);
}
