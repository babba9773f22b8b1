"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useCount } from "@/components/ui/count";
import { Field, Select } from "@/components/ui/field";
import { useToast } from "@/components/ui/toast";
import { type ApprovalAgent, isOwnersPayment } from "./held-payment";
import { type Rejected, rejectWaiting } from "./reject-waiting";

/**
 * Rejects every waiting payment, of all agents or of one. For owners whose agent's key was stolen. Includes payments
 * that are not on screen.
 *
 * @param agents those that may have something waiting
 * @param total how many payments wait
 */
export function RejectAll({ agents, total }: { agents: readonly ApprovalAgent[]; total: number }) {
  const network = useNetwork();
  const queries = useQueryClient();
  const toast = useToast();
  const count = useCount();
  const [open, setOpen] = useState(false);
  const named = agents.filter(({ handle }) => !isOwnersPayment({ agent: handle }));
  const [agent, setAgent] = useState("");
  const [reached, setReached] = useState(0);
  const reject = async () => {
    setReached(0);
    try {
      const next = () => api(network).post<Rejected>("/api/agents/transactions/reject", agent ? { agent } : {});
      const rejected = await rejectWaiting(next, setReached);
      const title = rejected === 1 ? "1 payment rejected" : `${count(rejected)} payments rejected`;
      toast.success(title, "No money moved.");
    } finally {
      setReached(0);
      // After a failure too, since some may have been rejected.
      void queries.invalidateQueries({
        predicate: resourceKeys.below(network, "/v1/agents/transactions", "/api/agents/transactions"),
      });
    }
  };
  return (
    <>
      <Button data-early size="small" onClick={() => setOpen(true)}>
        Reject all
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Reject all payments that wait?"
        keep="Keep waiting"
        confirm={agent ? `Reject all from ${agent}` : "Reject all payments"}
        onConfirm={reject}
      >
        <p>
          {count(total)} payments await approval now. No money moves. The agents are notified and can ask again; pause
          an agent whose key was stolen.
        </p>
        {named.length > 1 && (
          <Field label="From which agent">
            {(control) => (
              <Select {...control} value={agent} onChange={(event) => setAgent(event.target.value)}>
                <option value="">All agents</option>
                {named.map(({ account_id, handle }) => (
                  <option key={account_id} value={handle}>
                    {handle}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
        {reached > 0 && <p role="status">{count(reached)} rejected so far.</p>}
      </ConfirmDialog>
    </>
  );
}
