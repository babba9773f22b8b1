"use client";

import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { type Outcome, settlesAct } from "@/components/money/act-state";
import { AmountEntry } from "@/components/money/amount-entry";
import type { KeptAct } from "@/components/money/kept-payments";
import { LostResponse } from "@/components/money/lost-response";
import { ThreeBalances } from "@/components/money/three-balances";
import { amountProblem } from "@/components/money/units";
import { type ActMethod, useAttempt } from "@/components/money/use-attempt";
import { ACT_WORDS } from "@/components/money/words";
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
 * @param onDone called with the output; with undefined if only the chain has shown that the act was carried out
 * @param to the recipient
 */
export function useFirst<M extends ActMethod>(
  method: M,
  act: KeptAct,
  onDone: (output?: OutputOf<M>) => void,
  to?: string,
) {
  const attempt = useAttempt(method, { act, to: () => to });
  const { busy, error, run: work } = useAsyncAction();
  const [lost, setLost] = useState<InputOf<M>>();
  const found = lost && attempt.outcome;
  const settle = useEffectEvent(({ made }: Outcome) => {
    setLost(undefined);
    attempt.forget();
    if (made) onDone();
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
        onDone(output);
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

/** Puts the first money into the account: from the local stack's faucet, otherwise from the wallet. */
export function MoneyStep({ local, address, onDone }: Props & { local: boolean; address: string }) {
  const { busy, error, run, again } = useFirst("deposit", "deposit", () => onDone());
  return (
    <>
      {local ? (
        <StepText>
          The faucet gives your wallet play money, and one signature deposits it. Deposits are public on chain;
          everything after is not.
        </StepText>
      ) : (
        <StepText>
          Send USDG to your wallet <Address value={address} />, then deposit it with one signature. Deposits are public
          on chain; everything after is not.
        </StepText>
      )}
      {error && <Callout tone="danger">{error}</Callout>}
      {busy ? (
        <Progress label="Depositing: sign when your wallet asks" />
      ) : again ? (
        <Lost act="deposit" onAgain={again} />
      ) : (
        <AmountForm
          label="Amount"
          initial="100"
          verb={local ? "Get test money" : "Deposit"}
          onAmount={(amount) => void run({ amount, asset: "USDG", faucet: local })}
        />
      )}
    </>
  );
}

/** Allocates the first available balance. */
export function AvailableStep({ onDone }: Props) {
  const { busy, error, run, again } = useFirst("allocate", "allocate", () => onDone());
  return (
    <>
      <StepText>
        From here on amounts are encrypted. Your browser proves the change, which takes a few seconds, and your wallet
        signs.
      </StepText>
      <ThreeBalances />
      {error && <Callout tone="danger">{error}</Callout>}
      {busy ? (
        <Progress label="Proving, then settling on chain" />
      ) : again ? (
        <Lost act="allocate" onAgain={again} />
      ) : (
        <AmountForm
          label="Amount to make available"
          initial="25"
          verb="Make available"
          onAmount={(amount) => void run({ amount, asset: "USDG" })}
        />
      )}
    </>
  );
}
