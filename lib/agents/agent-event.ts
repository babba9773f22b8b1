import type { EventSubject, NewEvent } from "@/lib/events/append-events";
import type { ChainId } from "@/lib/network";

type AgentEventType = "agent.created" | "agent.paused" | "agent.resumed" | "agent.ended";

/** The event of an agent itself. */
export function agentEvent(chainId: ChainId, type: AgentEventType, { id, handle, rootId }: EventSubject): NewEvent {
  return { chainId, type, subject: { id, handle, rootId }, payload: { agent: `@${handle}`, agent_id: id } };
}
