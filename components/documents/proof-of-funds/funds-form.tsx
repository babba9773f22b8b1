"use client";

import { type FormEvent, useState } from "react";
import { grouped } from "@/components/ui/amount";
import { Field, Input, Options, Select } from "@/components/ui/field";
import { FormEnd } from "@/components/ui/form-end";
import type { Decimals } from "@/lib/base/money";
import type { ProofOfFundsInput } from "@/sdk/statements/proofs-of-funds/request-of";
import { roundAmounts } from "./round-amounts";

/** An asset that funds can be proved in. */
export interface ProvableAsset {
  symbol: string;
  decimals: Decimals;
}

const DAY_MS = 86_400_000;
const LIVES = [
  { value: "1", name: "In 1 day" },
  { value: "7", name: "In 7 days" },
  { value: "30", name: "In 30 days" },
  { value: "90", name: "In 90 days" },
];

/** Asks what to prove, to whom and for how long. */
export function FundsForm({
  assets,
  first,
  busy,
  error,
  isUnknown,
  onAsk,
}: {
  assets: readonly ProvableAsset[];
  first: string;
  busy: boolean;
  error?: string;
  isUnknown: boolean | undefined;
  onAsk: (input: ProofOfFundsInput) => void;
}) {
  const [asset, setAsset] = useState(first);
  const decimals = assets.find(({ symbol }) => symbol === asset)?.decimals ?? 6;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    onAsk({
      asset,
      atLeast: text("atLeast"),
      for: text("for"),
      purpose: text("purpose"),
      expires: new Date(Date.now() + Number(text("days")) * DAY_MS).toISOString(),
      challenge: text("challenge") || undefined,
    });
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid grid-cols-[1fr_7rem] gap-3">
        <Field label="At least" hint="Only round sums, so that several proofs do not add up to your balance.">
          {(control) => (
            <Select {...control} key={decimals} name="atLeast" defaultValue={decimals === 6 ? "1000" : "1"}>
              <Options choices={roundAmounts(decimals).map((value) => ({ value, name: grouped(value) }))} />
            </Select>
          )}
        </Field>
        <Field label="Asset">
          {(control) => (
            <Select {...control} value={asset} onChange={(event) => setAsset(event.target.value)}>
              <Options choices={assets.map(({ symbol }) => ({ value: symbol, name: symbol }))} />
            </Select>
          )}
        </Field>
      </div>
      <Field label="Verifier's name" hint="Who asks for it. The proof names them, so that passing it on is obvious.">
        {(control) => <Input {...control} name="for" required maxLength={120} autoComplete="off" />}
      </Field>
      <Field label="Purpose" optional>
        {(control) => <Input {...control} name="purpose" maxLength={280} autoComplete="off" />}
      </Field>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Expires">
          {(control) => (
            <Select {...control} name="days" defaultValue="7">
              <Options choices={LIVES} />
            </Select>
          )}
        </Field>
        <Field label="Challenge" optional hint="32 hex digits, if the verifier gave you any.">
          {(control) => <Input {...control} name="challenge" maxLength={34} autoComplete="off" className="font-mono" />}
        </Field>
      </div>
      <FormEnd error={error} isUnknown={isUnknown} busy={busy} verb="Continue" />
    </form>
  );
}
