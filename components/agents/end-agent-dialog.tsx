"use client";

import { useState } from "react";
import { useMoneyMoved } from "@/components/money/use-money-mutation";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { useVault } from "@/components/vault/vault-provider";
import { agentToSign } from "@/components/wallet/agent-to-sign";
import { signingFor } from "@/components/wallet/signing-for";
import { type AgentSummary, shownAssets } from "./agent-summary";
import { useAgentSpending } from "./use-agent-spending";

type Ending = Pick<AgentSummary, "handle" | "policy">;

/** Ends an agent: explains what happens to its balance and waiting payments, then offers to take the money back. */
export function EndAgentDialog({
  agent,
  pending,
  onClose,
  onTakeBack,
}: {
  agent: Ending;
  /** How many of its payments wait for approval. */
  pending: number;
  onClose: () => void;
  onTakeBack: () => void;
}) {
  const vault = useVault();
  const moved = useMoneyMoved();
  const [ended, setEnded] = useState(false);
  const { handle } = agent;
  if (ended) return <Ended agent={agent} onClose={onClose} onTakeBack={onTakeBack} />;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`End ${handle}?`}
      description="It can't be resumed. To let a program pay again, create another agent."
      width="medium"
      keep="Keep agent"
      confirm="End agent"
      failed="This did not complete."
      onConfirm={async () => {
        await signingFor(agentToSign("end", handle), () => vault.run("endAgent", { agent: handle }));
        moved();
      }}
      onDone={() => setEnded(true)}
    >
      <ul className="grid list-disc gap-2 pl-5 marker:text-faint">
        <li>
          <span className="text-ink">Nothing can be paid from its balance any more:</span> not with its API keys, not
          with its own signing key, not with your approval. The chain enforces it.
        </li>
        <li>
          <span className="text-ink">Its API keys end with it.</span> From the next request on they are refused, even
          for reading.
        </li>
        {pending > 0 && (
          <li>
            <span className="text-ink">
              {pending === 1 ? "The payment that waits for you is" : `The ${pending} payments that wait for you are`}{" "}
              rejected.
            </span>{" "}
            No money moves.
          </li>
        )}
        <li>
          <span className="text-ink">Its money stays in its balance.</span> Only you can move it: take it back as the
          next step, or whenever you like.
        </li>
      </ul>
      <Holdings agent={agent} />
    </ConfirmDialog>
  );
}

/** What an agent holds of each asset, decrypted while the vault is unlocked. */
function Holdings({ agent }: { agent: Ending }) {
  const encrypted = useVault().status !== "unlocked";
  const { data } = useAgentSpending([agent]);
  const opened = data?.[0];
  const figures = (asset: string) => opened?.assets.find((each) => each.asset === asset);
  const shown = (value: string | undefined) => (opened ? (value ?? null) : undefined);
  return (
    <dl className="divide-y divide-line rounded-lg border border-line">
      {shownAssets(agent.policy).flatMap((asset) =>
        [
          { name: "Available", value: figures(asset)?.available },
          { name: "Received", value: figures(asset)?.waiting },
        ].map(({ name, value }) => (
          <div key={`${asset} ${name}`} className="flex justify-between gap-4 px-3.5 py-2.5">
            <dt>{name}</dt>
            <dd className="font-medium text-ink">
              <Amount value={shown(value)} asset={asset} encrypted={encrypted} />
            </dd>
          </div>
        )),
      )}
    </dl>
  );
}

function Ended({ agent, onClose, onTakeBack }: { agent: Ending; onClose: () => void; onTakeBack: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Agent ended"
      footer={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button tone="primary" onClick={onTakeBack}>
            Take money back
          </Button>
        </>
      }
    >
      <div className="grid gap-4 text-sm">
        <div role="status">
          <Callout tone="success" title={`${agent.handle} pays nothing any more.`}>
            Its money is still in its balance, and only you can move it.
          </Callout>
        </div>
        <Holdings agent={agent} />
      </div>
    </Dialog>
  );
}
