import type { FundsOutput, OpenedFunds, UnopenedFunds } from "@/components/vault/methods/funds";

/** What the account, or one of its agents, has of an asset, as far as it was decrypted. */
export function holdingOf(
  funds: FundsOutput | undefined,
  asset: string,
  agent?: string,
): OpenedFunds | UnopenedFunds | undefined {
  const assets = agent === undefined ? funds?.assets : funds?.agents.find(({ handle }) => handle === agent)?.assets;
  return assets?.find((entry) => entry.asset === asset);
}

/** Whether an asset was decrypted. */
export function isOpened(holding: OpenedFunds | UnopenedFunds | undefined): holding is OpenedFunds {
  return holding !== undefined && "budget" in holding;
}
