"use client";

import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { Card } from "@/components/ui/card";
import { Field, Options, Select } from "@/components/ui/field";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { RefundsTo } from "@/sdk/account/agent-refunds";

/** Shows and sets where refunds of an agent's payments go. */
export function AgentRefunds({ id, handle, initial }: { id: string; handle: string; initial: RefundsTo }) {
  const network = useNetwork();
  const toast = useToast();
  const [refunds, setRefunds] = useState(initial);
  const { busy, error, isUnknown, run } = useAsyncAction();
  const change = (to: RefundsTo) =>
    run(async () => {
      await api(network).post(`/api/agents/${id}/refunds`, { refunds: to });
      setRefunds(to);
      toast.success("Refunds changed", `From now on they go to ${to === "owner" ? "your account" : handle}.`);
    });
  return (
    <Card title="Refunds" description="Where refunds of the agent's payments go.">
      {/* What a reload restores is no choice. */}
      <form autoComplete="off" className="max-w-xs">
        <Field label="Refunds go to" error={isUnknown ? undefined : error} warning={error}>
          {(control) => (
            <Select
              {...control}
              value={refunds}
              disabled={busy}
              onChange={(event) => void change(event.target.value as RefundsTo)}
            >
              <Options
                choices={[
                  { value: "available", name: "The agent" },
                  { value: "owner", name: "Your account" },
                ]}
              />
            </Select>
          )}
        </Field>
      </form>
    </Card>
  );
}
