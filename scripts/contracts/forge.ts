import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { foundryBinary } from "../stack/binaries.ts";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Runs forge at the repository's root with the project's settings.
 *
 * @param args arguments of forge
 * @param env settings that override those of contracts/foundry.toml (FOUNDRY_*)
 * @param stdio where the output goes; "pipe" hides it unless forge fails
 * @throws Error when forge does not end with 0; the message is its output
 */
export async function forge(
  args: string[],
  { env = {}, stdio = "pipe" }: { env?: Record<string, string>; stdio?: "pipe" | "inherit" } = {},
): Promise<void> {
  const child = spawn(foundryBinary("forge"), args, {
    cwd: ROOT,
    env: { ...process.env, FOUNDRY_CONFIG: "contracts/foundry.toml", ...env },
    stdio: ["ignore", stdio, stdio],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const code = await new Promise<number | string | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status, signal) => resolve(status ?? signal));
  });
  if (code !== 0) throw new Error(`forge ${args[0]} ended with ${code}\n${output}`);
}
