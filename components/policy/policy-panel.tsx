"use client";

import { SlidersHorizontal } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useResource } from "@/components/api/use-resource";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import type { SpendPolicy } from "@/sdk/api/resources/agents";
import { PolicyFacts } from "./policy-facts";
import { PolicySentence } from "./policy-sentence";

/** The editor brings the rules of the service with it: loaded when it is first used. */
const PolicyEdit = dynamic(() => import("./policy-edit").then((module) => module.PolicyEdit), {
  ssr: false,
  loading: () => <Skeleton className="h-160 w-full rounded-xl!" />,
});

/** An agent's policy: to read, and to edit in place. */
export function PolicyPanel({ agentId, handle, initial }: { agentId: string; handle: string; initial: SpendPolicy }) {
  const [editing, setEditing] = useState(false);
  const { data: policy = initial } = useResource<SpendPolicy>(`/api/agents/${agentId}/spend-policy`, { initial });
  if (editing) {
    return <PolicyEdit agentId={agentId} handle={handle} stored={policy} onClose={() => setEditing(false)} />;
  }
  return (
    <Card
      title="Policy"
      description={
        <>
          What the agent may spend without asking you. Last changed <Time value={policy.updated_at} /> UTC.
        </>
      }
      action={
        <Button size="small" icon={<SlidersHorizontal size={14} aria-hidden="true" />} onClick={() => setEditing(true)}>
          Edit policy
        </Button>
      }
    >
      <div className="grid gap-3">
        <PolicySentence policy={policy} />
        <PolicyFacts policy={policy} />
      </div>
    </Card>
  );
}
