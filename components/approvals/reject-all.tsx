"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/shell/network-context";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Field, Select } from "@/components/ui/field";
import { useToast } from "@/components/ui/toast";
import type { ApprovalAgent } from "./held-payment";

/** What the service dropped of those that wait; it takes a bounded number at a time. */
interface Dropped {
  rejected: number;
  has_more: boolean;
}

/**
 * Rejects everything that waits, of all agents or of one: what an owner does whose agent's key was stolen. Those that are
 * not on screen are rejected too.
 *
 * @param agents that may have something waiting
 */
export function RejectAll({ agents }: { agents: readonly ApprovalAgent[] }) {
  const network = useNetwork();
  const queries = useQueryClient();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const [agent, setAgent] = useState("");
  const reject = async () => {
    let rejected = 0;
    try {
      for (let more = true; more; ) {
        const body = agent ? { agent } : {};
        const dropped = await api(network).post<Dropped>("/api/agents/transactions/reject", body);
        rejected += dropped.rejected;
        // What somebody else decides at this moment is not ours to wait for.
        more = dropped.has_more && dropped.rejected > 0;
      }
      toast.success(rejected === 1 ? "1 payment rejected" : `${rejected} payments rejected`, "No money moved.");
    } finally {
      // After a failure as well: some may have been rejected.
      void queries.invalidateQueries({
        predicate: ({ queryKey: [of, path] }) => of === network && String(path).startsWith("/api/agents/transactions"),
      });
    }
  };
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        Reject all
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title="Reject all payments that wait?"
        confirm={agent ? `Reject all of ${agent}` : "Reject all payments"}
        onConfirm={reject}
      >
        <p>No money moves. The agents are told, and may ask again; pause an agent whose key was stolen.</p>
        {agents.length > 1 && (
          <Field label="Of which agent">
            {(control) => (
              <Select {...control} value={agent} onChange={(event) => setAgent(event.target.value)}>
                <option value="">All agents</option>
                {agents.map(({ account_id, handle }) => (
                  <option key={account_id} value={handle}>
                    {handle}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        )}
      </ConfirmDialog>
    </>
  );
}
