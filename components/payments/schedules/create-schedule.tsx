"use client";

import { Plus, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useCreation } from "@/components/api/use-creation";
import { AmountEntry } from "@/components/money/amount-entry";
import { decimalsOf } from "@/components/money/decimals-of";
import { amountProblem } from "@/components/money/units";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { classNames } from "@/components/ui/class-names";
import { CreationEnd } from "@/components/ui/creation-end";
import { Field, Input, Options, Select } from "@/components/ui/field";
import type { InputOf } from "@/components/vault/protocol";
import { useVault } from "@/components/vault/vault-provider";
import type { RuleInput } from "@/lib/policy/calendar/rule";
import { ownTimeZone } from "@/lib/policy/local-time";
import { NextDates } from "./next-dates";

const FREQUENCIES = [
  { value: "once", name: "Once" },
  { value: "daily", name: "Every day" },
  { value: "weekly", name: "Every week" },
  { value: "monthly", name: "Every month" },
  { value: "yearly", name: "Every year" },
];
const WEEKENDS = [
  { value: "keep", name: "Pay on the weekend" },
  { value: "before", name: "Pay on the Friday before" },
  { value: "after", name: "Pay on the Monday after" },
];
const DAYS = [
  { value: "start", name: "On the day of the first date" },
  { value: "last", name: "On the last day of the month" },
];
const WINDOWS = [
  { value: "86400", name: "1 day" },
  { value: "259200", name: "3 days" },
  { value: "604800", name: "7 days" },
  { value: "2592000", name: "30 days" },
];
const EMPTY = { to: "", amount: "", memo: "" };
const MOST = 16;

/** Asks what to pay and when, shows the next five dates, and encrypts the schedule in this browser. */
export function CreateSchedule({ path, assets, today }: { path: string; assets: readonly string[]; today: string }) {
  const vault = useVault();
  const router = useRouter();
  const { busy, error, isUnknown, isOther, param, create, forget } = useCreation({
    encrypt: (input: InputOf<"encryptSchedule">) => vault.run("encryptSchedule", input),
    store: (encrypted) => vault.run("storeSchedule", encrypted),
    onStored: ({ schedule_id }) => router.push(`${path}/${schedule_id}`),
  });
  const [checked, setChecked] = useState(false);
  const [asset, setAsset] = useState(assets[0] ?? "USDG");
  const [payments, setPayments] = useState([{ key: 0, ...EMPTY }]);
  const [when, setWhen] = useState({
    frequency: "monthly" as RuleInput["frequency"],
    start: today,
    time: "09:00",
    day: "start",
    weekends: "keep" as const as NonNullable<RuleInput["weekends"]>,
    count: "",
    until: "",
  });
  const [automatic, setAutomatic] = useState(false);
  const zone = ownTimeZone();
  const { frequency, start, time } = when;
  const isMonthly = frequency === "monthly" || frequency === "yearly";
  const rule: RuleInput = {
    frequency,
    start,
    time,
    time_zone: zone,
    ...(frequency !== "daily" && { weekends: when.weekends }),
    ...(isMonthly && when.day === "last" && { day: "last" as const }),
    ...(frequency !== "once" && when.count !== "" && { count: Number(when.count) }),
    ...(frequency !== "once" && when.until !== "" && { until: when.until }),
  };
  const set = (change: Partial<typeof when>) => setWhen({ ...when, ...change });
  const setPayment = (key: number, change: Partial<typeof EMPTY>) =>
    setPayments(payments.map((one) => (one.key === key ? { ...one, ...change } : one)));
  const wrongIn = (amount: string) => amountProblem(amount, decimalsOf(asset));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (payments.some(({ amount }) => wrongIn(amount))) return;
    const form = new FormData(event.currentTarget);
    create({
      rule,
      asset,
      name: String(form.get("name") ?? "").trim(),
      automatic,
      windowSeconds: Number(form.get("window")),
      payments: payments.map(({ to, amount, memo }) => ({ to, amount, ...(memo && { memo }) })),
    });
  };
  const of = (name: string) => (param === name || param === `rule.${name}` ? error : undefined);
  return (
    <form onSubmit={submit} className="grid gap-5">
      <Card title="What it pays" description="Encrypted in this browser. Halcyon sees neither recipients nor amounts.">
        <div className="grid gap-4">
          <Field label="Name" optional hint="For you.">
            {(control) => (
              <Input {...control} name="name" maxLength={80} autoComplete="off" placeholder="Office rent" />
            )}
          </Field>
          {assets.length > 1 && (
            <Field label="Asset">
              {(control) => (
                <Select {...control} value={asset} onChange={(event) => setAsset(event.target.value)}>
                  <Options choices={assets.map((value) => ({ value, name: value }))} />
                </Select>
              )}
            </Field>
          )}
          {payments.map(({ key, to, amount, memo }, index) => (
            <div
              key={key}
              className={classNames(
                "grid gap-3 sm:items-end",
                payments.length > 1
                  ? "sm:grid-cols-[minmax(0,1fr)_10rem_minmax(0,1fr)_auto]"
                  : "sm:grid-cols-[minmax(0,1fr)_10rem_minmax(0,1fr)]",
              )}
            >
              <Field
                label={payments.length > 1 ? `Recipient ${index + 1}` : "Recipient"}
                error={of(`payments.${index}.to`)}
              >
                {(control) => (
                  <Input
                    {...control}
                    value={to}
                    required
                    autoComplete="off"
                    placeholder="@handle"
                    onChange={(event) => setPayment(key, { to: event.target.value.trim() })}
                  />
                )}
              </Field>
              <AmountEntry
                label="Amount"
                asset={asset}
                required
                amount={amount}
                onAmount={(amount) => setPayment(key, { amount })}
                error={(checked ? wrongIn(amount) : undefined) ?? of(`payments.${index}.amount`)}
                problem={wrongIn(amount)}
              />
              <Field label="Memo" optional>
                {(control) => (
                  <Input
                    {...control}
                    value={memo}
                    autoComplete="off"
                    onChange={(event) => setPayment(key, { memo: event.target.value })}
                  />
                )}
              </Field>
              {payments.length > 1 && (
                <Button
                  aria-label={`Remove recipient ${index + 1}`}
                  onClick={() => setPayments(payments.filter((one) => one.key !== key))}
                >
                  <Trash2 size={15} aria-hidden="true" />
                </Button>
              )}
            </div>
          ))}
          {payments.length < MOST && (
            <div>
              <Button data-early onClick={() => setPayments([...payments, { key: Date.now(), ...EMPTY }])}>
                <Plus size={15} aria-hidden="true" />
                Add a recipient
              </Button>
            </div>
          )}
        </div>
      </Card>
      <Card title="When" description={`Times are in ${zone}.`}>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="How often">
            {(control) => (
              <Select
                {...control}
                value={frequency}
                onChange={(event) => set({ frequency: event.target.value as RuleInput["frequency"] })}
              >
                <Options choices={FREQUENCIES} />
              </Select>
            )}
          </Field>
          <Field label={frequency === "once" ? "Date" : "First date"} error={of("start")}>
            {(control) => (
              <Input
                {...control}
                type="date"
                required
                value={start}
                onChange={(event) => set({ start: event.target.value })}
              />
            )}
          </Field>
          <Field label="Time" error={of("time")}>
            {(control) => (
              <Input
                {...control}
                type="time"
                required
                value={time}
                onChange={(event) => set({ time: event.target.value })}
              />
            )}
          </Field>
          {isMonthly && (
            <Field label="Day">
              {(control) => (
                <Select {...control} value={when.day} onChange={(event) => set({ day: event.target.value })}>
                  <Options choices={DAYS} />
                </Select>
              )}
            </Field>
          )}
          {frequency !== "daily" && (
            <Field label="If it falls on a weekend">
              {(control) => (
                <Select
                  {...control}
                  value={when.weekends}
                  onChange={(event) => set({ weekends: event.target.value as typeof when.weekends })}
                >
                  <Options choices={WEEKENDS} />
                </Select>
              )}
            </Field>
          )}
          {frequency !== "once" && (
            <>
              <Field label="Number of payments" optional error={of("count")}>
                {(control) => (
                  <Input
                    {...control}
                    inputMode="numeric"
                    value={when.count}
                    onChange={(event) => set({ count: event.target.value.trim() })}
                  />
                )}
              </Field>
              <Field label="Last date" optional error={of("until")}>
                {(control) => (
                  <Input
                    {...control}
                    type="date"
                    value={when.until}
                    onChange={(event) => set({ until: event.target.value })}
                  />
                )}
              </Field>
            </>
          )}
        </div>
        <NextDates rule={rule} />
      </Card>
      <Card
        title="Who pays it"
        description="Halcyon holds nothing that can pay by itself. When a payment is due, it notifies you and waits for one of your clients: this dashboard, or a program that runs halcyon schedules run."
      >
        <div className="grid gap-4">
          <Field label="A payment can be made within" hint="After that it is missed, and paid only if you ask for it.">
            {(control) => (
              <Select {...control} name="window" defaultValue="259200">
                <Options choices={WINDOWS} />
              </Select>
            )}
          </Field>
          <Checkbox
            label="Pay without asking whenever this dashboard is open and unlocked"
            checked={automatic}
            onChange={setAutomatic}
          />
        </div>
      </Card>
      <CreationEnd
        {...{ error, isUnknown, isOther, busy }}
        verb="Create schedule"
        href={path}
        look="Look at your schedules"
        onForget={forget}
      />
    </form>
  );
}
