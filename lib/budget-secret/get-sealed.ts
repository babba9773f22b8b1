import { db } from "@/db/client";
import { requireOwner } from "@/lib/agents/require-owner";
import { removeLayer } from "@/lib/agents/wallet-layer";
import type { SessionContext } from "@/lib/auth/context";
import { scopeOf } from "@/lib/chain/scope";
import { env } from "@/lib/env";
import { fromHex, toHex } from "@/lib/ledger/bytes";
import { readSealed, type SealedUnderSecret } from "./read-sealed";

/**
 * All that is sealed under the account's budget secret, for its owner's client to seal it anew. Of an agent's wallet key
 * the service takes its own layer off: what is left opens with the agent's secret alone.
 */
export async function getSealed(ctx: SessionContext): Promise<SealedUnderSecret> {
  requireOwner(ctx);
  const scope = await scopeOf(ctx.chainId);
  // One snapshot of several tables.
  const config = { isolationLevel: "repeatable read", accessMode: "read only" } as const;
  const sealed = await db().transaction((tx) => readSealed(tx, ctx, new Date()), config);
  const agents = sealed.agents.map((agent) => ({
    ...agent,
    wallet: toHex(removeLayer(env().serverPepper, { scope, agent: agent.address }, fromHex(agent.wallet))),
  }));
  return { ...sealed, agents };
}

/** Serialises it. */
export function toSealedResource({ secretVersion, pending, budgets, agents, held }: SealedUnderSecret) {
  return {
    secret_version: secretVersion,
    pending,
    budgets: budgets.map(({ account, asset, word, sealed }) => ({ account, asset, word, sealed })),
    agents: agents.map(({ id, address, wallet }) => ({ account_id: id, public_key: address, wallet })),
    held: held.map(({ id, agent, asset, sealed }) => ({ transaction_id: id, agent, asset, sealed })),
  };
}
