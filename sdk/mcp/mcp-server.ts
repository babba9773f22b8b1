import { McpServer } from "@modelcontextprotocol/server";
import { version } from "@/package.json";
import type { ToolAgent } from "./agent";
import { TOOLS } from "./tools";

const INSTRUCTIONS =
  "Pays from one agent's available balance, within the spend policy its owner set. Amounts are decimal strings. Ask before you pay " +
  "someone new. A payment that is held waits for a person; one that is denied must not be split or retried.";

const READING =
  "Reads one agent's available balance, payments and spend policy, and pays nothing. Amounts are decimal strings.";

/**
 * Creates the server of the Model Context Protocol, not connected to anything yet.
 *
 * @param mayPay whether the agent's key has the scope `pay`: without it, no tool is offered that would always fail
 */
export function mcpServer(agent: () => Promise<ToolAgent>, mayPay = true): McpServer {
  const instructions = mayPay ? INSTRUCTIONS : READING;
  const server = new McpServer({ name: "halcyon", title: "Halcyon payments", version }, { instructions });
  for (const tool of TOOLS) if (mayPay || !tool.needsPay) tool.register(server, agent);
  return server;
}
