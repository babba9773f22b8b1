import type { AssetFacts } from "./asset-facts";

/** What each dialog of the page gets. */
export interface DialogProps {
  onClose: () => void;
  assets: AssetFacts[];
  /** The signed-in wallet, lower case. */
  address: string;
  /** A chain of the local stack: there is a faucet. */
  local: boolean;
  /** The asset the address names, else the first. */
  asset: string;
  /** Handle of the agent the address names: for its money. */
  agent?: string;
  /** Whom the address names to be paid. */
  to?: string;
}
