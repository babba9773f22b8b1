"use client";

import { type ComponentProps, useEffect, useEffectEvent, useState } from "react";
import type { DecryptedAmount as OpenedAmount } from "@/components/ui/amount";
import type { DecryptedFunds, FundsOutput, UndecryptedFunds } from "@/components/vault/methods/funds";
import { type DecryptedQuery, useDecrypted, useVault } from "@/components/vault/vault-provider";
import type { Decimals } from "@/lib/base/money";
import type { AmountField } from "./amount-field";
import { holdingOf, isDecrypted } from "./holdings";
import { amountProblem, shortage } from "./units";
import { FUNDS } from "./use-funds";

/** A typed amount that changes an available balance, and that available balance as far as it is decrypted. */
interface AvailableAmount {
  amount: string;
  setAmount: (amount: string) => void;
  asset: string;
  decimals: Decimals;
  /** The props of its `AmountField`. */
  field: Pick<ComponentProps<typeof AmountField>, "amount" | "onAmount" | "asset" | "onAsset" | "assets">;
  /** All decrypted balances; outdated while `isFetching`. */
  funds: DecryptedQuery<FundsOutput>;
  holding: DecryptedFunds | UndecryptedFunds | undefined;
  opened: DecryptedFunds | undefined;
  available: OpenedAmount;
}

/** What a field for an amount shows at first, and whose available balance it is of. */
interface AtFirst {
  /** The selected asset. */
  first: string;
  /** The handle of the agent, if the available balance is an agent's. */
  agent?: string | undefined;
  /** The amount in the field. */
  typed?: string;
}

/** Returns the state of a field whose amount changes an available balance. */
export function useAvailableAmount(
  assets: readonly { symbol: string; decimals: Decimals }[],
  { first, agent, typed = "" }: AtFirst,
): AvailableAmount {
  const [amount, setAmount] = useState(typed);
  const [asset, setAsset] = useState(first);
  const funds = useDecrypted("funds", FUNDS);
  const decimals = assets.find(({ symbol }) => symbol === asset)?.decimals ?? 6;
  const holding = holdingOf(funds.data, asset, agent);
  const opened = isDecrypted(holding) ? holding : undefined;
  const undecrypted = holding !== undefined || funds.isError;
  const available = opened?.available ?? (undecrypted ? null : undefined);
  const field = { amount, onAmount: setAmount, asset, onAsset: setAsset, assets };
  return { amount, setAmount, asset, decimals, field, funds, holding, opened, available };
}

/**
 * Returns the same, for an amount that is paid from the available balance.
 *
 * @param covers the message if the available balance is not enough; by default the words for the person's own balance
 * @returns `wrong`: why it is no valid amount; `short`: why the last decrypted available balance does not cover it
 */
export function useSpentAmount(
  assets: Parameters<typeof useAvailableAmount>[0],
  { covers, ...atFirst }: AtFirst & { covers?: string },
): AvailableAmount & { wrong: string | undefined; short: string | undefined } {
  const from = useAvailableAmount(assets, atFirst);
  const wrong = amountProblem(from.amount, from.decimals);
  const short = wrong ? undefined : shortage(from.amount, from.available, from.decimals, covers);
  return { ...from, wrong, short };
}

/** The state of a form's submission. */
export interface Submission {
  /** Whether the button was pressed, so that errors show. */
  checked: boolean;
  setChecked: (checked: boolean) => void;
  /** Whether the button was pressed and waits for newer balances, because the last decrypted ones do not suffice. */
  waiting: boolean;
  /** A message that says that it waits. */
  working: string | undefined;
  submit: () => void;
}

/**
 * Submits a form whose amount is checked against the vault's balances. Unlocks first. If older balances do not cover
 * the amount and newer ones are being decrypted, as right after a deposit, the submission waits for them, so that
 * outdated figures never refuse it.
 *
 * @param wrong whether the form is invalid regardless of any balance
 * @param covered whether the last decrypted balances suffice
 * @param looking whether something else that is needed is still being looked up
 */
export function useSubmission(
  { funds }: Pick<AvailableAmount, "funds">,
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
    // If the person does not unlock, the form stays as it is.
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
