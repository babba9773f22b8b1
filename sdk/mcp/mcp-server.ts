import { McpServer } from "@modelcontextprotocol/server";
import { version } from "@/package.json";
import type { Halcyon } from "../client";
import { TOOLS } from "./tools";

const INSTRUCTIONS =
  "Pays from one agent's available balance, within the spend policy its owner set. Amounts are decimal strings. Ask before you pay " +
  "someone new. A payment that is held waits for a person; one that is denied must not be split or retried.";

/** Creates the server of the Model Context Protocol, not connected to anything yet. */
export function mcpServer(agent: () => Promise<Halcyon>): McpServer {
  const server = new McpServer({ name: "halcyon", title: "Halcyon payments", version }, { instructions: INSTRUCTIONS });
  for (const tool of TOOLS) tool.register(server, agent);
  return server;
}
