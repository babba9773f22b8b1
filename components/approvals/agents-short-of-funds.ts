import { decimalsOf } from "@/components/money/decimals-of";
import { toUnits } from "@/components/money/units";
import { amountsOf, totalsByAsset } from "./totals";

/** What is known of one of several payments. */
interface Payment {
  entry: { agent: string; asset: string };
  /** Undefined until it has been looked at. `amount` and `available` are decimal strings, undefined while unknown. */
  check: { amount: string | undefined; available: string | undefined } | undefined;
}

/** An agent, and the assets of which it has too little. */
interface Shortage {
  agent: string;
  assets: string[];
}

/**
 * Returns the agents whose balance does not cover all of the payments together, each once. Unknown amounts don't count.
 */
export function agentsShortOfFunds(payments: readonly Payment[]): Shortage[] {
  const agents = [...new Set(payments.map(({ entry }) => entry.agent))];
  return agents.flatMap((agent) => {
    const own = payments.filter(({ entry }) => entry.agent === agent);
    const assets = totalsByAsset(amountsOf(own)).flatMap(({ asset, amount }) => {
      const available = own.find(({ entry, check }) => entry.asset === asset && check?.available !== undefined)?.check
        ?.available;
      const decimals = decimalsOf(asset);
      return available !== undefined && toUnits(amount, decimals) > toUnits(available, decimals) ? [asset] : [];
    });
    return assets.length > 0 ? [{ agent, assets }] : [];
  });
}
