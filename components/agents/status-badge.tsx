import { Badge } from "@/components/ui/badge";
import type { AgentSummary } from "./agent-summary";

/**
 * How an agent stands, in a word.
 *
 * @param quiet nothing is said of one that is active
 */
export function StatusBadge({ status, quiet = false }: Pick<AgentSummary, "status"> & { quiet?: boolean }) {
  if (status === "paused") return <Badge tone="warning">Paused</Badge>;
  if (status === "ended") return <Badge>Ended</Badge>;
  return quiet ? null : <Badge tone="success">Active</Badge>;
}
