"use client";

import { useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { Amount, written } from "@/components/ui/amount";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Dialog } from "@/components/ui/dialog";
import { RetryCallout } from "@/components/ui/retry-callout";
import { Skeleton } from "@/components/ui/skeleton";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import { signingFor } from "@/components/wallet/signing-for";
import type { AvailableLoss } from "@/sdk/recovery/abandon";
import type { MoneyDialogProps } from "./dialog-props";
import { DoLink } from "./do-link";
import { useMoneyMoved } from "./use-money-mutation";

/**
 * Gives up an available balance that can't be decrypted: says what is lost and what is not, asks, and has the wallet
 * sign.
 */
export function AbandonDialog({ onClose, asset, agent }: MoneyDialogProps) {
  const vault = useVault();
  const moved = useMoneyMoved();
  const [understood, setUnderstood] = useState(false);
  const [tried, setTried] = useState(false);
  const [done, setDone] = useState(false);
  const loss = useDecrypted("availableLoss", { asset, agent }, { enabled: !done });
  const locked = vault.status !== "unlocked";
  const title = agent ? `Give up the available balance of ${agent}?` : `Give up your available ${asset} balance?`;
  // Once an attempt was made and nothing is lost any more, the chain has carried it out, even if the response was lost.
  if (done || (tried && loss.data === null && !loss.isFetching)) {
    return <GivenUp onClose={onClose} asset={asset} agent={agent} />;
  }
  const giveUp = async () => {
    setTried(true);
    try {
      const facts = [
        { name: "Balance", value: agent ? `Available balance of ${agent}` : "Your available balance" },
        { name: "Asset", value: asset },
        ...(loss.data?.lost_at_most
          ? [{ name: "You lose at most", value: `${written(loss.data.lost_at_most)} ${asset}` }]
          : []),
      ];
      await signingFor({ types: ["Abandon"], facts }, () => vault.run("abandon", { asset, agent }));
    } finally {
      // After a failure too: the chain may have carried it out, and the refetch shows it here.
      moved();
      await loss.refetch();
    }
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={title}
      description="No one can decrypt this balance any more, so nothing can be paid from it."
      width="medium"
      keep="Keep balance"
      {...(locked
        ? { confirm: "Unlock", tone: "primary", onConfirm: vault.unlock, onDone: () => {} }
        : {
            confirm: "Give up this balance",
            disabled: !loss.data || !understood,
            failed: "This did not complete. What the chain shows now is above.",
            onConfirm: giveUp,
            onDone: () => setDone(true),
          })}
    >
      {locked && <p>Unlock first. This browser then reads from the chain how large the balance can have been.</p>}
      {!locked && loss.isPending && !loss.error && <Skeleton className="h-40 w-full" />}
      {loss.error && (
        <RetryCallout title="The chain could not be read." busy={loss.isFetching} onRetry={loss.refetch}>
          {messageOf(loss.error)}
        </RetryCallout>
      )}
      {loss.data === null && (
        <Callout tone="success" title="This balance can be decrypted. There is nothing to give up.">
          If you can't see the amount, unlock again.
        </Callout>
      )}
      {loss.data && (
        <Loss loss={loss.data}>
          <Checkbox
            label={<span className="text-ink">I understand that this balance is lost for good.</span>}
            checked={understood}
            onChange={setUnderstood}
          />
        </Loss>
      )}
    </ConfirmDialog>
  );
}

function GivenUp({ onClose, asset, agent }: Pick<MoneyDialogProps, "onClose" | "asset" | "agent">) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="Balance given up"
      footer={
        <>
          <Button onClick={onClose}>Done</Button>
          <DoLink act="make-available" parameters={{ asset, agent }} className={buttonClass("primary")}>
            Make money available
          </DoLink>
        </>
      }
    >
      <div role="status">
        <Callout tone="success" title="The balance is empty, and you can use it again.">
          Your received and deposited money has not changed. Make it available to pay from it.
        </Callout>
      </div>
    </Dialog>
  );
}

function Loss({ loss, children }: { loss: AvailableLoss; children: React.ReactNode }) {
  const { lost_at_most: most, asset, notes, deposited } = loss;
  return (
    <>
      <div className="grid gap-1 pb-1">
        <p>{most === null ? "You lose" : "You lose at most"}</p>
        <p className="font-semibold text-3xl text-ink tracking-tight">
          {most === null ? "all of it" : <Amount value={most} asset={asset} />}
        </p>
        <p>
          {most === null
            ? "The chain does not show the most this balance can have been."
            : "The chain shows that this balance can't have been more."}
        </p>
      </div>
      <dl className="divide-y divide-line rounded-lg border border-line">
        {(
          [
            ["You keep: received", notes],
            ["You keep: deposited", deposited],
          ] as const
        ).map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 px-3.5 py-2.5">
            <dt>{name}</dt>
            <dd className="font-medium text-ink">
              <Amount value={value} asset={asset} />
            </dd>
          </div>
        ))}
      </dl>
      <Callout tone="danger" title="This cannot be undone.">
        The balance is set to zero. No one receives the money, not even Halcyon.
      </Callout>
      <p>
        This happens when someone signs for your balance without encrypting the new amount for you. If a key may be
        stolen, replace the account secret too:{" "}
        <code className="whitespace-nowrap text-ink">halcyon rotate-account-secret</code>
      </p>
      {children}
    </>
  );
}
