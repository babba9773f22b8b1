import type { RouteModule } from "@/lib/http/v1-handlers";

/**
 * Imports the route handlers of a folder, such as `transfers/[transfer_id]`. A bundler finds all of
 * them by its pattern.
 */
export async function loadHandlers(folder: string): Promise<RouteModule> {
  return import(`./${folder}/route.ts`);
}
