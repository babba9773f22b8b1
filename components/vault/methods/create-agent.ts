import type { Context } from "@/sdk/context";
import { type CreateAgentInput, createAgent as create } from "@/sdk/create-agent";
import type { Agent } from "@/sdk/resources";

/** Registers an agent: its wallet is made and sealed in the worker. Returns once the ledger has it. */
export function createAgent(context: Context, input: CreateAgentInput): Promise<Agent> {
  return create(context, input);
}
