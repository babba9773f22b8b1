import { Halcyon } from "../client";
import { type GlobalOptions, settingsFrom } from "./environment";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

/** `mcp`. Its standard output carries only the protocol, so it shows no progress. */
export const mcpCommands: AddCommand = (program, _, variables) => {
  const mcp = withExamples(
    program
      .command("mcp")
      .description(
        "serve an agent to an AI model over the Model Context Protocol (stdio); needs the agent's HALCYON_API_KEY, and with a blind key its HALCYON_HOME_KEY",
      ),
    "mcp",
    "mcp --profile bot",
  );
  mcp.action(async () => {
    const options = mcp.optsWithGlobals<GlobalOptions>();
    const { url, apiKey, homeKey, rpcUrl, network, configDir } = await settingsFrom(options, variables);
    // The key's prefix names its network. Don't load the wallet: the model may only do what a policy limits.
    const own = apiKey?.startsWith("hc_live_") ? "live" : "test";
    const client = new Halcyon({ url, apiKey, homeKey, rpcUrl, network: network ?? own, configDir });
    const { serveMcp } = await import("../mcp/serve-mcp");
    await serveMcp(client, (line) => process.stderr.write(`halcyon mcp: ${line}\n`));
  });
};
