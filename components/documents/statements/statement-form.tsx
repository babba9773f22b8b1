"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { type Choice, Field, Input, Options, Select } from "@/components/ui/field";
import type { StatementInput } from "@/sdk/statements/statement-input";
import { daysOfPreset, PERIOD_PRESETS, type Preset } from "./presets";

/** The value for the account and its agents together, where an agent's handle would stand. */
const ALL = "*";

/** Asks for a period, a payer and an asset. Days are in the reader's time zone. */
export function StatementForm({
  agents,
  assets,
  timeZone,
  busy,
  onAsk,
}: {
  /** Agents by handle. */
  agents: readonly Choice[];
  assets: readonly Choice[];
  /** Of the reader; null until it is known. */
  timeZone: string | null;
  busy: boolean;
  onAsk: (input: StatementInput) => void;
}) {
  const [preset, setPreset] = useState<Preset>("this-month");
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (timeZone === null) return;
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "");
    const days = daysOfPreset(preset, timeZone, new Date()) ?? { from: text("from"), to: text("to") };
    const who = text("who");
    onAsk({
      ...days,
      timeZone,
      agent: who === "" || who === ALL ? undefined : who,
      withAgents: who === ALL || undefined,
      asset: text("asset") || undefined,
    });
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <Field label="Period" hint={timeZone === null ? "Days in your time zone" : `Days in ${timeZone}`}>
          {(control) => (
            <Select {...control} value={preset} onChange={(event) => setPreset(event.currentTarget.value as Preset)}>
              <Options choices={PERIOD_PRESETS} />
            </Select>
          )}
        </Field>
        {agents.length > 0 && (
          <Field label="For">
            {(control) => (
              <Select {...control} name="who">
                <option value="">Your account</option>
                <option value={ALL}>Your account and its agents</option>
                <Options choices={agents} />
              </Select>
            )}
          </Field>
        )}
        <Field label="Asset">
          {(control) => (
            <Select {...control} name="asset">
              <option value="">All assets</option>
              <Options choices={assets} />
            </Select>
          )}
        </Field>
        {preset === "custom" && (
          <>
            <Field label="First day">{(control) => <Input {...control} type="date" name="from" required />}</Field>
            <Field label="Last day">{(control) => <Input {...control} type="date" name="to" required />}</Field>
          </>
        )}
      </div>
      <div>
        <Button type="submit" tone="primary" busy={busy}>
          Create statement
        </Button>
      </div>
    </form>
  );
}
