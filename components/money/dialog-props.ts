import type { AssetFacts } from "./asset-facts";

/** The props of each dialog on the page. */
export interface MoneyDialogProps {
  onClose: () => void;
  assets: AssetFacts[];
  /** The address of the signed-in wallet, in lower case. */
  address: string;
  /** Whether the chain belongs to the local stack, which has a faucet. */
  local: boolean;
  /** The asset named in the page's address, or the first one. */
  asset: string;
  /** The handle of the agent named in the page's address, if the dialog is about an agent's money. */
  agent?: string;
  /** The recipient named in the page's address. */
  to?: string;
}
