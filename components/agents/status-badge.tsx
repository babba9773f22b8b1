import { Badge } from "@/components/ui/badge";
import type { AgentSummary } from "./agent-summary";

/**
 * An agent's status as a badge.
 *
 * @param quiet show nothing for an active agent
 */
export function AgentStatusBadge({ status, quiet = false }: Pick<AgentSummary, "status"> & { quiet?: boolean }) {
  if (status === "paused") return <Badge tone="warning">Paused</Badge>;
  if (status === "ended") return <Badge>Ended</Badge>;
  return quiet ? null : <Badge tone="success">Active</Badge>;
}
