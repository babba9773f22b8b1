"use client";

import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { type Outcome, settlesAct } from "@/components/money/act-state";
import { ACT_WORDS } from "@/components/money/act-wording";
import { AmountEntry } from "@/components/money/amount-entry";
import type { KeptAct } from "@/components/money/kept-payments";
import { LostResponse } from "@/components/money/lost-response";
import { amountProblem } from "@/components/money/units";
import { type ActMethod, useAttempt } from "@/components/money/use-attempt";
import { Address } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Progress } from "@/components/ui/progress";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { InputOf, OutputOf } from "@/components/vault/protocol";
import { OutcomeUnknown } from "@/sdk/payments/attempts/outcome-unknown";
import { StepText } from "./step";

interface Props {
  onDone: () => void;
}

/** An amount of USDG and a button. */
function AmountForm({
  label,
  initial,
  verb,
  onAmount,
}: {
  label: string;
  initial: string;
  verb: string;
  onAmount: (amount: string) => void;
}) {
  const [amount, setAmount] = useState(initial);
  const [checked, setChecked] = useState(false);
  const problem = amountProblem(amount, 6);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (!problem) onAmount(amount);
  };
  return (
    <form onSubmit={submit} noValidate className="grid gap-3">
      <div className="sm:max-w-xs">
        <AmountEntry
          label={label}
          asset="USDG"
          amount={amount}
          onAmount={setAmount}
          error={checked ? problem : undefined}
          problem={problem}
        />
      </div>
      <div>
        <Button type="submit" tone="primary">
          {verb}
        </Button>
      </div>
    </form>
  );
}

/**
 * Runs a first act across all its retries. After a lost response a retry continues the same act, never a second one.
 *
 * @param onDone called with the output and the input; without an output if only the chain has shown that the act was
 *   carried out
 * @param to the recipient
 */
export function useFirst<M extends ActMethod>(
  method: M,
  act: KeptAct,
  onDone: (output: OutputOf<M> | undefined, input: InputOf<M>) => void,
  to?: string,
) {
  const attempt = useAttempt(method, { act, to: () => to });
  const { busy, error, run: work } = useAsyncAction();
  const [lost, setLost] = useState<InputOf<M>>();
  const found = lost && attempt.outcome;
  const settle = useEffectEvent(({ made }: Outcome) => {
    setLost(undefined);
    attempt.forget();
    if (made && lost) onDone(undefined, lost);
  });
  useEffect(() => {
    if (settlesAct(found, busy)) settle(found);
  }, [found, busy]);
  const run = (input: InputOf<M>) =>
    work(async () => {
      try {
        const output = await attempt.run(input);
        // The next call is another act.
        attempt.forget();
        onDone(output, input);
      } catch (thrown) {
        setLost(thrown instanceof OutcomeUnknown ? input : undefined);
        if (!(thrown instanceof OutcomeUnknown)) throw thrown;
      }
    });
  return { busy, error, run, again: lost && (() => run(lost)) };
}

/** Shown instead of the form while the outcome is unknown. */
export function Lost({ act, onAgain }: { act: KeptAct; onAgain: () => void }) {
  return (
    <div className="grid justify-items-start gap-3">
      <LostResponse words={ACT_WORDS[act]} />
      <Button onClick={onAgain}>Check again</Button>
    </div>
  );
}

/** What is there and not available yet: deposited, or received. */
export interface Waiting {
  /** What is deposited, which is public; "0" if all of it was received. */
  deposited: string;
}

/**
 * Puts the first money into the account, from the local stack's faucet or from the wallet, and makes it available. What
 * is already there, after a reload for example, is only made available.
 */
export function MoneyStep({
  local,
  address,
  waiting: found,
  onDone,
}: Props & { local: boolean; address: string; waiting: Waiting | null }) {
  const [waiting, setWaiting] = useState(found);
  const available = useFirst("makeAvailable", "makeAvailable", () => onDone());
  const deposit = useFirst("deposit", "deposit", (_, { amount }) => {
    setWaiting({ deposited: amount });
    void available.run({ amount, asset: "USDG" });
  });
  const error = deposit.error ?? available.error;
  const again = deposit.again ?? available.again;
  const busy = deposit.busy || available.busy;
  return (
    <>
      {waiting ? (
        <StepText>
          Your browser proves that the money is yours, which takes a few seconds, and your wallet signs.
        </StepText>
      ) : local ? (
        <StepText>
          The faucet gives your wallet play money. One signature deposits it, which is public; the second makes it
          available to pay with, encrypted from then on.
        </StepText>
      ) : (
        <StepText>
          Send USDG to your wallet <Address value={address} />. One signature deposits it, which is public; the second
          makes it available to pay with, encrypted from then on.
        </StepText>
      )}
      {error && <Callout tone="danger">{error}</Callout>}
      {busy ? (
        <Progress
          label={
            available.busy
              ? "Making it available: sign when your wallet asks"
              : "Depositing: sign when your wallet asks"
          }
        />
      ) : again ? (
        <Lost act={deposit.again ? "deposit" : "makeAvailable"} onAgain={again} />
      ) : waiting ? (
        <AmountForm
          key="available"
          label="Amount to make available"
          initial={waiting.deposited === "0" ? "" : waiting.deposited}
          verb="Make available"
          onAmount={(amount) => void available.run({ amount, asset: "USDG" })}
        />
      ) : (
        <AmountForm
          key="deposit"
          label="Amount"
          initial="100"
          verb={local ? "Get test money" : "Deposit"}
          onAmount={(amount) => void deposit.run({ amount, asset: "USDG", faucet: local })}
        />
      )}
    </>
  );
}
