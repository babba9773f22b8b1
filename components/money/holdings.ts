import type { DecryptedAmount } from "@/components/ui/amount";
import type { DecryptedFunds, FundsOutput, UndecryptedFunds } from "@/components/vault/methods/funds";
import type { AssetFacts } from "./asset-facts";
import { sumOf } from "./units";

/** Returns what the account, or one of its agents, has of an asset, as far as it was decrypted. */
export function holdingOf(
  funds: FundsOutput | undefined,
  asset: string,
  agent?: string,
): DecryptedFunds | UndecryptedFunds | undefined {
  const assets = agent === undefined ? funds?.assets : funds?.agents.find(({ handle }) => handle === agent)?.assets;
  return assets?.find((entry) => entry.asset === asset);
}

/** Returns whether an asset was decrypted. */
export function isDecrypted(holding: DecryptedFunds | UndecryptedFunds | undefined): holding is DecryptedFunds {
  return holding !== undefined && "available" in holding;
}

/**
 * Returns the total of an asset. Undefined while decrypting; null if a part can't be decrypted, since it must not count
 * as zero.
 *
 * @param agents handles of the account's agents
 */
export function totalsOf(
  funds: FundsOutput | undefined,
  { symbol, decimals }: Pick<AssetFacts, "symbol" | "decimals">,
  agents: readonly string[],
): { held: (agent: string) => string | null; agentsTotal: DecryptedAmount; total: DecryptedAmount } {
  const own = holdingOf(funds, symbol);
  const held = (handle: string) => {
    const agent = holdingOf(funds, symbol, handle);
    return isDecrypted(agent) ? agent.total : null;
  };
  const parts = agents.map(held).filter((part) => part !== null);
  const agentsTotal: DecryptedAmount = funds && (parts.length < agents.length ? null : sumOf(parts, decimals));
  if (agentsTotal === null) return { held, agentsTotal, total: null };
  const total = isDecrypted(own) ? sumOf([own.total, agentsTotal ?? "0"], decimals) : undefined;
  return { held, agentsTotal, total };
}
