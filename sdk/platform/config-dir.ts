import { homedir } from "node:os";
import { join } from "node:path";

/** Where pins and wallets are kept: HALCYON_CONFIG_DIR, else `halcyon` under XDG_CONFIG_HOME or ~/.config. */
export function configDir(variables: Record<string, string | undefined> = process.env): string {
  if (variables.HALCYON_CONFIG_DIR) return variables.HALCYON_CONFIG_DIR;
  return join(variables.XDG_CONFIG_HOME || join(homedir(), ".config"), "halcyon");
}
