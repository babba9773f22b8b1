import type { Product } from "./start-product";
import { AGENTS, accountWithAgents, unlocking } from "./unlocking";

const SPEED = { latencyMs: 400, bytesPerSecond: 50_000 };
const ROUNDS = 2;

/** Measures unlocking the dashboard with 50 agents over a slow line, with an empty cache. In seconds. */
export async function run(product: Product): Promise<Record<string, unknown>> {
  const walletKey = await accountWithAgents(product.url);
  const measured = await unlocking(product.url, walletKey, SPEED, ROUNDS);
  return { agents: AGENTS, ...SPEED, ...measured, goals: { unlock_s: "<= 8", requests: "<= 12" } };
}
