"use client";

import type { FormEvent } from "react";
import { Address } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { AmountInput, Field } from "@/components/ui/field";
import { Progress } from "@/components/ui/progress";
import { useWork } from "@/components/ui/use-work";
import { useVault } from "@/components/vault/vault-provider";
import { StepText } from "./step";

interface Props {
  onDone: () => void;
}

/** An amount of USDG and a button. */
function AmountForm({
  label,
  amount,
  verb,
  onAmount,
}: {
  label: string;
  amount: string;
  verb: string;
  onAmount: (amount: string) => void;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    onAmount(String(new FormData(event.currentTarget).get("amount")).trim());
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <Field label={label}>
        {(control) => (
          <AmountInput {...control} asset="USDG" name="amount" defaultValue={amount} required autoComplete="off" />
        )}
      </Field>
      <Button type="submit" tone="primary">
        {verb}
      </Button>
    </form>
  );
}

/** Puts the first money into the account: from the local stack's faucet, else from the wallet. */
export function MoneyStep({ local, address, onDone }: Props & { local: boolean; address: string }) {
  const vault = useVault();
  const { busy, error, run } = useWork();
  const deposit = (amount: string) =>
    run(async () => {
      await vault.run("deposit", { amount, asset: "USDG", faucet: local });
      onDone();
    });
  return (
    <>
      {local ? (
        <StepText>
          The faucet of this machine gives your wallet play money, and your wallet deposits it: one signature. Deposits
          are public on chain; everything after is not.
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
      ) : (
        <AmountForm label="Amount" amount="100" verb={local ? "Get test money" : "Deposit"} onAmount={deposit} />
      )}
    </>
  );
}

/** Allocates the first budget. */
export function BudgetStep({ onDone }: Props) {
  const vault = useVault();
  const { busy, error, run } = useWork();
  const allocate = (amount: string) =>
    run(async () => {
      await vault.run("allocate", { amount, asset: "USDG" });
      onDone();
    });
  return (
    <>
      <StepText>
        The budget is what API keys may spend; nothing beyond it can ever leave by a key. The amount is encrypted from
        here on. Your browser proves it right, which takes a few seconds, and your wallet signs.
      </StepText>
      {error && <Callout tone="danger">{error}</Callout>}
      {busy ? (
        <Progress label="Proving, then settling on chain" />
      ) : (
        <AmountForm label="Budget" amount="25" verb="Allocate" onAmount={allocate} />
      )}
    </>
  );
}
