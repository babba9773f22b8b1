"use client";

import { type FormEvent, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { useNetwork } from "@/components/api/network-context";
import { NotifyButton } from "@/components/api/notifications/notify-button";
import { AmountField } from "@/components/money/amount-field";
import { amountProblem } from "@/components/money/units";
import { Amount, written } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { RetryCallout } from "@/components/ui/retry-callout";
import { Skeleton } from "@/components/ui/skeleton";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { LowBalanceRules } from "@/components/vault/methods/low-balance";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import type { Decimals } from "@/lib/base/money";
import { storeRules, useStoredRules } from "./stored-rules";

interface Props {
  address: string;
  assets: readonly { symbol: string; decimals: Decimals }[];
}

/** Sets the available balance per asset below which this browser warns. Stored here, encrypted. */
export function LowBalanceSettings({ address, assets }: Props) {
  const network = useNetwork();
  const vault = useVault();
  const encrypted = useStoredRules(network, address);
  const opened = useDecrypted("decryptLowBalance", { encrypted: encrypted ?? "0x" }, { enabled: Boolean(encrypted) });
  const rules = encrypted === null ? {} : opened.data;
  const save = async (next: LowBalanceRules) => {
    const none = Object.keys(next).length === 0;
    storeRules(network, address, none ? null : await vault.run("encryptLowBalance", { rules: next }));
  };
  return (
    <Card
      title="Low balance"
      description="This browser warns you when your available balance falls below an amount."
      action={<NotifyButton />}
    >
      <div id="low-balance" className="grid scroll-mt-40 gap-4">
        <Callout title="It only works while a dashboard is open and unlocked in this browser.">
          The service knows neither your balance nor this amount, so it can't warn you by email or push. The amount is
          stored only in this browser, encrypted.
        </Callout>
        {vault.status !== "unlocked" ? (
          <div className="flex flex-wrap items-center gap-3">
            <Button data-early busy={vault.status === "unlocking"} onClick={() => void vault.unlock().catch(() => {})}>
              Unlock to set it
            </Button>
            {encrypted && <span className="text-muted text-sm">This browser has a rule.</span>}
          </div>
        ) : opened.error && rules === undefined ? (
          <RetryCallout title="Your rules could not be decrypted." busy={opened.isFetching} onRetry={opened.refetch}>
            {messageOf(opened.error)}
          </RetryCallout>
        ) : rules === undefined ? (
          <Skeleton className="h-9 w-64" />
        ) : (
          <>
            <Rules rules={rules} onRemove={save} />
            <NewRule assets={assets} onAdd={(asset, below) => save({ ...rules, [asset]: below })} />
          </>
        )}
      </div>
    </Card>
  );
}

function Rules({ rules, onRemove }: { rules: LowBalanceRules; onRemove: (rest: LowBalanceRules) => Promise<void> }) {
  const toast = useToast();
  const { busy, run } = useAsyncAction({ failed: "Nothing was changed" });
  const entries = Object.entries(rules);
  const remove = (asset: string) =>
    run(async () => {
      await onRemove(Object.fromEntries(entries.filter(([other]) => other !== asset)));
      toast.success("Rule removed");
    });
  if (entries.length === 0) return null;
  return (
    <ul aria-label="Rules" className="max-w-md divide-y divide-line rounded-lg border border-line text-sm">
      {entries.map(([asset, below]) => (
        <li key={asset} className="flex items-center justify-between gap-4 py-2 pr-2 pl-3.5">
          <span className="min-w-0">
            Below <Amount value={below} asset={asset} className="font-medium" />
          </span>
          <Button
            size="small"
            tone="ghost"
            busy={busy}
            aria-label={`Remove the rule of ${asset}`}
            onClick={() => remove(asset)}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
  );
}

function NewRule({
  assets,
  onAdd,
}: Pick<Props, "assets"> & { onAdd: (asset: string, below: string) => Promise<void> }) {
  const toast = useToast();
  const { busy, error, run } = useAsyncAction();
  const [asset, setAsset] = useState(assets[0]?.symbol ?? "USDG");
  const [amount, setAmount] = useState("");
  const [checked, setChecked] = useState(false);
  const problem = amountProblem(amount, assets.find(({ symbol }) => symbol === asset)?.decimals ?? 6);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (problem) return;
    return run(async () => {
      await onAdd(asset, amount);
      toast.success("Rule saved", `This browser warns you below ${written(amount)} ${asset}.`);
      setAmount("");
      setChecked(false);
    });
  };
  return (
    <form onSubmit={submit} className="grid max-w-md gap-4">
      <AmountField
        label="Warn me below"
        amount={amount}
        onAmount={setAmount}
        asset={asset}
        onAsset={setAsset}
        assets={assets}
        hint="Of your available balance. One amount for each asset."
        error={error ?? (checked ? problem : undefined)}
        problem={problem}
        disabled={busy}
      />
      <div>
        <Button type="submit" tone="primary" busy={busy}>
          Save rule
        </Button>
      </div>
    </form>
  );
}
