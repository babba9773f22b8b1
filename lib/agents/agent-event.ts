import type { ChainId } from "@/lib/base/network";
import type { EventSubject, NewEvent } from "@/lib/events/append-events";

type AgentEventType = "agent.created" | "agent.paused" | "agent.resumed" | "agent.ended";

/** Returns the event for a change of an agent itself. */
export function agentEvent(chainId: ChainId, type: AgentEventType, { id, handle, rootId }: EventSubject): NewEvent {
  return { chainId, type, subject: { id, handle, rootId }, payload: { agent: `@${handle}`, agent_id: id } };
}
