import { createKey } from "./create-key";
import { enroll } from "./enroll";
import { funds } from "./funds";
import { moved } from "./moved";
import { unlock } from "./unlock";

/** The methods of the vault: one file and one line each. Pages import the type alone. */
export const methods = {
  createKey,
  enroll,
  funds,
  moved,
  unlock,
};

export type Methods = typeof methods;
