"use client";

import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { RefundsTo } from "@/sdk/account/agent-refunds";

/** Says where refunds of an agent's payments go, and changes it. */
export function AgentRefunds({ id, handle, initial }: { id: string; handle: string; initial: RefundsTo }) {
  const network = useNetwork();
  const toast = useToast();
  const [refunds, setRefunds] = useState(initial);
  const { busy, run } = useAsyncAction({ failed: "Refunds were not changed" });
  const other = refunds === "owner" ? "available" : "owner";
  const change = () =>
    run(async () => {
      await api(network).post(`/api/agents/${id}/refunds`, { refunds: other });
      setRefunds(other);
      toast.success("Refunds changed", `From now on they go to ${other === "owner" ? "your account" : handle}.`);
    });
  return (
    <Card
      title="Refunds"
      description={`Refunds of the agent's payments go to ${refunds === "owner" ? "your account" : "the agent"}.`}
      action={
        <Button data-early size="small" busy={busy} onClick={change}>
          {refunds === "owner" ? "Send them to the agent" : "Send them to your account"}
        </Button>
      }
    />
  );
}
