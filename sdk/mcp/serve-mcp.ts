import { HalcyonError } from "../api/errors";
import type { Halcyon } from "../client";
import { agentOfClient, type ToolAgent } from "./agent";
import { connectStdio } from "./connect-stdio";
import { mcpServer } from "./mcp-server";

/** Returns the agent after checking that the key is an agent's: a model's key must be limited by a policy. */
function agentOf(client: Halcyon): () => Promise<ToolAgent> {
  let known: Promise<ToolAgent> | undefined;
  const check = async () => {
    if ((await client.account.get()).type === "agent") return agentOfClient(client);
    throw new HalcyonError(
      "key_forbidden",
      "HALCYON_API_KEY is a key of a whole account, which no policy bounds. Give the model an agent's: `halcyon keys create --label mcp --agent bot`.",
    );
  };
  return () => {
    known ??= check();
    // Check again at the next call: the service may be back.
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
}

/**
 * Serves the tools over the Model Context Protocol on standard input and output until the host ends it. Writes only the
 * protocol to standard output.
 *
 * @param log receives lines for people
 * @throws HalcyonError `unauthorized`, `key_forbidden`: an invalid key, or one that isn't an agent's
 */
export async function serveMcp(client: Halcyon, log: (line: string) => void): Promise<void> {
  const agent = agentOf(client);
  try {
    await agent();
    log(`serving ${(await client.account.get()).handle}`);
  } catch (error) {
    if (!(error instanceof HalcyonError) || error.code !== "unavailable") throw error;
    log(`${error.message} Going on: each call tries again.`);
  }
  const server = mcpServer(agent);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());
  await connectStdio(server, process.stdin, process.stdout);
}
