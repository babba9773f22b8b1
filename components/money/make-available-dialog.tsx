"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { Amount, written } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { RetryCallout } from "@/components/ui/retry-callout";
import { useToast } from "@/components/ui/toast";
import { useVault } from "@/components/vault/vault-provider";
import { type AvailableMove, actToSign } from "@/components/wallet/signing-for";
import { ActDialog } from "./act-dialog";
import { ACT_WORDS } from "./act-wording";
import { AmountField } from "./amount-field";
import type { MoneyDialogProps } from "./dialog-props";
import { DoLink } from "./do-link";
import { isDecrypted } from "./holdings";
import { MakeAvailableSummary, makeAvailableOf } from "./make-available-summary";
import { amountProblem, sumOf, toUnits } from "./units";
import { useAvailableAmount, useSubmission } from "./use-available-amount";
import { useMoneyMutation } from "./use-money-mutation";

/**
 * Sets the available balance: raises it from notes and deposited money, or lowers it, which returns the difference as a
 * note.
 */
export function MakeAvailableDialog({ onClose, assets, asset: first, agent }: MoneyDialogProps) {
  const vault = useVault();
  const toast = useToast();
  const button = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const to = useAvailableAmount(assets, { first, agent });
  const move = useRef<AvailableMove>(undefined);
  const act = useMoneyMutation("makeAvailable", {
    act: "makeAvailable",
    to: (input) => input.agent,
    signs: (input) => {
      const known = move.current;
      // A second run signs only what is left of the move.
      move.current = undefined;
      return actToSign("makeAvailable", { ...input, move: known });
    },
  });

  const [signatures, setSignatures] = useState(1);

  const { amount, asset, decimals, funds, holding, opened } = to;
  const most = opened && sumOf([opened.available, opened.notesTotal, opened.deposited], decimals);
  const wrong = amountProblem(amount, decimals, { zero: true });
  const short = wrong ? undefined : aboveAll(amount, most, opened?.more ?? false, decimals);
  const plan = opened && !wrong && !short ? makeAvailableOf(opened, amount, decimals) : undefined;
  const form = useSubmission(to, {
    wrong: wrong !== undefined,
    covered: plan !== undefined && plan.kind !== "same",
    run: () => {
      setSignatures(plan?.signatures ?? 1);
      move.current = plan && { ...plan, kind: plan.kind === "less" ? "less" : "more" };
      act.start({ available: amount, asset, agent });
    },
  });
  const { state } = act;
  const done = state.at === "done" || state.at === "found";
  const finish = useEffectEvent(() => {
    toast.success("Your available balance is set.", "Final on chain; payments can use it now.");
    onClose();
  });
  useEffect(() => {
    if (done) finish();
  }, [done]);
  const busy = state.at !== "form" || form.waiting;
  const locked = vault.status !== "unlocked";
  return (
    <ActDialog
      title={agent ? `Available balance of ${agent}` : "Make money available"}
      description="You and your API keys can pay from your available balance. Only your wallet can move money that is not yet available."
      initialFocus={locked ? button : input}
      onClose={onClose}
      onSubmit={form.submit}
      submit={
        locked ? (
          <Button ref={button} tone="primary" onClick={() => void vault.unlock()}>
            Unlock
          </Button>
        ) : (
          `Set available balance${plan && plan.kind !== "same" ? ` to ${written(amount)} ${asset}` : ""}`
        )
      }
      act={act}
      working={form.working}
      // Of several moves to the available balance, those already signed stay in effect.
      words={
        signatures > 1
          ? { ...ACT_WORDS.makeAvailable, refused: "Not all of it was made available." }
          : ACT_WORDS.makeAvailable
      }
      asset={asset}
      agent={agent}
      blocked={act.blockedTo(agent)}
    >
      <dl className="divide-y divide-line rounded-lg border border-line text-sm">
        {(
          [
            ["Available now", opened?.available],
            ["Received", opened?.notesTotal],
            ["Deposited", opened?.deposited],
          ] as const
        ).map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 px-3.5 py-2">
            <dt className="text-muted">{name}</dt>
            <dd className="font-medium">
              <Amount value={opened ? value : to.available} asset={asset} encrypted={locked} />
            </dd>
          </div>
        ))}
      </dl>
      <AmountField
        {...to.field}
        inputRef={input}
        label="New available balance"
        onAsset={(next) => {
          to.field.onAsset(next);
          to.setAmount("");
          form.setChecked(false);
        }}
        problem={wrong ?? short}
        error={form.checked && !busy ? (wrong ?? short) : undefined}
        shortcuts={most === undefined ? [] : shortcutsOf(most, opened?.available)}
        disabled={busy || locked}
      />
      {plan && <MakeAvailableSummary plan={plan} asset={asset} agent={agent} />}
      {holding && !isDecrypted(holding) && (
        <Callout tone="danger" title="This balance can't be decrypted.">
          {holding.error.message}{" "}
          <DoLink
            act="abandon"
            parameters={{ asset, agent }}
            className="font-medium text-ink underline underline-offset-2"
          >
            See what is lost and how to continue
          </DoLink>
        </Callout>
      )}
      {funds.error && (
        <RetryCallout title="Your amounts could not be decrypted." busy={funds.isFetching} onRetry={funds.refetch}>
          {messageOf(funds.error)}
        </RetryCallout>
      )}
    </ActDialog>
  );
}

function shortcutsOf(most: string, available = "0") {
  return [
    ...(most === available ? [] : [{ label: "Everything", amount: most }]),
    ...(available === "0" ? [] : [{ label: "Nothing", amount: "0" }]),
  ];
}

function aboveAll(amount: string, most: string | undefined, more: boolean, decimals: 6 | 9): string | undefined {
  if (most === undefined || more || toUnits(amount, decimals) <= toUnits(most, decimals)) return undefined;
  return "All your money together does not cover this. Enter a smaller amount, or add funds first.";
}
