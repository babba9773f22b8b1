"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useRefresh } from "@/components/api/use-refresh";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Progress } from "@/components/ui/progress";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { EmergencyCard } from "./emergency-card";
import { forEachItem } from "./for-each-item";

/**
 * Pauses every agent, then has the wallet switch the payment key off. Each part that is done stays done.
 *
 * @param agents ids of those that are not paused
 * @param stopped whether the payment key is switched off
 */
export function StopSigning({ agents: listed, stopped: wasStopped }: { agents: readonly string[]; stopped: boolean }) {
  const vault = useVault();
  const network = useNetwork();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const [step, setStep] = useState<{ label: string; done: number; total: number }>();
  const { busy, error, isUnknown, run } = useAsyncAction();
  // The page is rendered again later, or not at all while the service is silent.
  const [here, setHere] = useState<{ paused: readonly string[]; stopped: boolean }>({ paused: [], stopped: false });
  const agents = listed.filter((id) => !here.paused.includes(id));
  const stopped = wasStopped || here.stopped;
  const done = stopped && agents.length === 0;
  const stop = () =>
    run(async () => {
      const total = agents.length + (stopped ? 0 : 1);
      const pausing = (now: number) => setStep({ label: "Pausing agents", done: now, total });
      try {
        pausing(0);
        const pause = (id: string) => api(network).post(`/v1/agents/${id}/pause`);
        const unpaused = await forEachItem(agents, pause, pausing);
        const left = unpaused.map(({ item }) => item);
        setHere((now) => ({ ...now, paused: [...now.paused, ...agents.filter((id) => !left.includes(id))] }));
        if (!stopped) {
          setStep({ label: "Switching the payment key off. Your wallet signs.", done: agents.length, total });
          await vault.run("stopSigning", undefined);
          setHere((now) => ({ ...now, stopped: true }));
        }
        const [first] = unpaused;
        if (first) throw first.error;
      } finally {
        setStep(undefined);
        const changed = resourceKeys.below(network, "/v1/accounts/me", "/v1/accounts/me/agents", "/v1/agents");
        void queries.invalidateQueries({ predicate: changed });
        refresh();
      }
    });
  return (
    <EmergencyCard
      id="stop-signing"
      title="Stop all signing"
      description="For a takeover that may still be going on. Pauses every agent, and switches your payment key off on the chain: no API key, no approval and no browser pays from your balance any more, only your wallet itself."
      takes="Under a minute"
      needs="1 signature"
      afterwards="Rotate the account secret below to pay again, then resume your agents. An agent's own key is replaced by the rotation, not by this."
      action={
        done ? (
          <span className="text-muted text-sm">Signing is stopped.</span>
        ) : (
          <Button data-early tone="danger" busy={busy} onClick={() => setAsking(true)}>
            {stopped ? "Pause agents" : "Stop signing"}
          </Button>
        )
      }
    >
      {step && <Progress {...step} />}
      {error && (
        <ErrorCallout isUnknown={isUnknown} failed="Not all signing is stopped.">
          {error}
        </ErrorCallout>
      )}
      {done && (
        <div role="status">
          <Callout tone="success" title="Only your wallet signs now.">
            Your agents are paused, and the chain has no payment key of yours.
          </Callout>
        </div>
      )}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Stop all signing?"
        keep="Keep paying"
        confirm="Stop signing"
        onConfirm={async () => void stop()}
      >
        <p>
          Payments by your keys, agents and this dashboard fail until you rotate the account secret. Money that others
          send you still arrives.
        </p>
      </ConfirmDialog>
    </EmergencyCard>
  );
}
