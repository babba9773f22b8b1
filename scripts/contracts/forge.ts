import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Runs forge at the repository's root with the project's settings, and answers its exit status.
 *
 * @param args arguments of forge
 * @param env settings that replace those of contracts/foundry.toml (FOUNDRY_*)
 * @param stdio where the output goes; "pipe" keeps it unless forge fails
 * @throws when forge does not end with 0; the message is its output
 */
export async function forge(
  args: string[],
  { env = {}, stdio = "pipe" }: { env?: Record<string, string>; stdio?: "pipe" | "inherit" } = {},
): Promise<void> {
  const child = spawn(forgeBinary(), args, {
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

/** The platform's binary out of npm, without the wrapper that would look for it elsewhere. */
function forgeBinary(): string {
  const arch = { x64: "amd64", arm64: "arm64" }[process.arch as string];
  const suffix = process.platform === "win32" ? ".exe" : "";
  return createRequire(import.meta.url).resolve(`@foundry-rs/forge-${process.platform}-${arch}/bin/forge${suffix}`);
}
