import { homedir } from "node:os";
import { join } from "node:path";

/** Variables of the environment. */
export type Variables = Record<string, string | undefined>;

/**
 * Returns the folder for pins and wallets: HALCYON_CONFIG_DIR, or else `halcyon` under XDG_CONFIG_HOME or ~/.config.
 */
export function configDir(variables: Variables = process.env): string {
  if (variables.HALCYON_CONFIG_DIR) return variables.HALCYON_CONFIG_DIR;
  return join(variables.XDG_CONFIG_HOME || join(homedir(), ".config"), "halcyon");
}
