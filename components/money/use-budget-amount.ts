"use client";

import { type ComponentProps, useEffect, useEffectEvent, useState } from "react";
import type { Opened as OpenedAmount } from "@/components/ui/amount";
import type { FundsOutput, OpenedFunds, UnopenedFunds } from "@/components/vault/methods/funds";
import { type Opened, useOpened, useVault } from "@/components/vault/vault-provider";
import type { Decimals } from "@/lib/money";
import type { AmountField } from "./amount-field";
import { holdingOf, isOpened } from "./holdings";
import { amountProblem, shortage } from "./units";
import { FUNDS } from "./use-funds";

/** An amount that changes a budget, as it is typed, and that budget as far as it is decrypted. */
export interface BudgetAmount {
  amount: string;
  setAmount: (amount: string) => void;
  asset: string;
  decimals: Decimals;
  /** Of the field it is typed into. */
  field: Pick<ComponentProps<typeof AmountField>, "amount" | "onAmount" | "asset" | "onAsset" | "assets">;
  /** All that is decrypted; old while it `isFetching`. */
  funds: Opened<FundsOutput>;
  holding: OpenedFunds | UnopenedFunds | undefined;
  opened: OpenedFunds | undefined;
  budget: OpenedAmount;
}

/**
 * The state of a field whose amount changes a budget.
 *
 * @param first the asset it starts with
 * @param agent handle, where the budget is an agent's
 */
export function useBudgetAmount(
  assets: readonly { symbol: string; decimals: Decimals }[],
  first: string,
  agent?: string,
): BudgetAmount {
  const [amount, setAmount] = useState("");
  const [asset, setAsset] = useState(first);
  const funds = useOpened("funds", FUNDS);
  const decimals = assets.find(({ symbol }) => symbol === asset)?.decimals ?? 6;
  const holding = holdingOf(funds.data, asset, agent);
  const opened = isOpened(holding) ? holding : undefined;
  const unopened = holding !== undefined || funds.isError;
  const budget = opened?.budget ?? (unopened ? null : undefined);
  const field = { amount, onAmount: setAmount, asset, onAsset: setAsset, assets };
  return { amount, setAmount, asset, decimals, field, funds, holding, opened, budget };
}

/**
 * The same, for an amount that is paid from the budget.
 *
 * @param covers what is said when the budget does not cover it, in place of the words for one's own
 * @returns `wrong`: it is no amount; `short`: what was decrypted last does not cover it
 */
export function useSpentAmount(
  assets: Parameters<typeof useBudgetAmount>[0],
  first: string,
  agent?: string,
  covers?: string,
): BudgetAmount & { wrong: string | undefined; short: string | undefined } {
  const from = useBudgetAmount(assets, first, agent);
  const wrong = amountProblem(from.amount, from.decimals);
  const short = wrong ? undefined : shortage(from.amount, from.budget, from.decimals, covers);
  return { ...from, wrong, short };
}

/** A form's button, pressed. */
export interface Submission {
  /** It was pressed: what is wrong is said from then on. */
  checked: boolean;
  setChecked: (checked: boolean) => void;
  /** Pressed, and what was decrypted last does not cover it, but something newer is being decrypted. */
  waiting: boolean;
  /** That it waits, in words. */
  working: string | undefined;
  submit: () => void;
}

/**
 * Continues with a form whose amount is checked against what the vault opened; unlocks first. Where older figures do
 * not cover it and newer ones are on their way, as right after a deposit, the press waits for them: it is never refused
 * by figures that are no longer true.
 *
 * @param wrong the form cannot be sent, whatever the account has
 * @param covered by what was decrypted last it can be done
 * @param looking something else that must be known is still being looked up
 */
export function useSubmission(
  { funds }: Pick<BudgetAmount, "funds">,
  { wrong, covered, looking = false, run }: { wrong: boolean; covered: boolean; looking?: boolean; run: () => unknown },
): Submission {
  const { status, unlock } = useVault();
  const [checked, setChecked] = useState(false);
  const [pressed, setPressed] = useState(false);
  const locked = status !== "unlocked";
  const opening = looking || funds.isFetching || (funds.data === undefined && !funds.isError);
  const settled = pressed && !locked && !opening;
  const settle = useEffectEvent(() => {
    setPressed(false);
    if (covered && !wrong) run();
  });
  useEffect(() => {
    if (settled) settle();
  }, [settled]);
  const submit = async () => {
    setChecked(true);
    if (wrong) return;
    if (!locked && covered && !looking) {
      run();
      return;
    }
    if (!locked && !opening) return;
    // Those who give up are still at the form.
    if (!locked || (await unlock())) setPressed(true);
  };
  const waiting = pressed && !settled;
  return {
    checked,
    setChecked,
    waiting,
    working: waiting ? "Decrypting what is new in your account." : undefined,
    submit: () => void submit(),
  };
}
