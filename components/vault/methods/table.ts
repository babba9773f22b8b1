import { funds } from "./funds";
import { unlock } from "./unlock";

/** The methods of the vault: one file and one line each. Pages import the type alone. */
export const methods = {
  funds,
  unlock,
};

export type Methods = typeof methods;
