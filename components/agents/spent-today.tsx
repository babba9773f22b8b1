"use client";

import { AgentLine } from "@/components/ui/agent-name";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { type AgentSummary, shownAssets } from "./agent-summary";
import { Today } from "./today";
import { useAgentSpending } from "./use-agent-spending";

/** The most agents to show. The page of all agents has the others. */
const MOST = 5;

/** What active agents have spent today, against their daily limits. Renders nothing if there is none. */
export function SpentToday({
  path,
  agents,
}: {
  /** Path of the page of all agents. */
  path: string;
  /** Active ones. */
  agents: readonly Pick<AgentSummary, "account_id" | "handle" | "policy">[];
}) {
  const shown = agents.slice(0, MOST);
  const spending = useAgentSpending(shown);
  if (shown.length === 0) return null;
  const spentBy = (handle: string, asset: string) => {
    const found = spending.data?.find((agent) => agent.handle === handle);
    if (!found) return spending.isError ? null : undefined;
    return found.assets.find((each) => each.asset === asset)?.spent ?? null;
  };
  return (
    <Card
      flush
      title="Agents today"
      action={
        <Link href={path} className="text-accent text-sm underline-offset-4 hover:underline">
          {agents.length > MOST ? `All ${agents.length} agents` : "All agents"}
        </Link>
      }
    >
      <ul className="divide-y divide-line border-line border-t">
        {shown.map(({ account_id, handle, policy }) => (
          <li
            key={account_id}
            className="relative grid grid-cols-[minmax(0,1fr)_11rem] items-start gap-4 px-4 py-3 text-sm hover:bg-sunken/50 sm:px-5"
          >
            <Link
              href={`${path}/${account_id}`}
              className="min-w-0 font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
            >
              <AgentLine handle={handle} />
            </Link>
            <div className="grid gap-3">
              {shownAssets(policy).map((asset) => (
                <Today key={asset} spent={spentBy(handle, asset)} policy={policy} asset={asset} />
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
