"use client";

import { Plus, Trash2 } from "lucide-react";
import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { useCreation } from "@/components/api/use-creation";
import { AmountEntry } from "@/components/money/amount-entry";
import { decimalsOf } from "@/components/money/decimals-of";
import { amountProblem } from "@/components/money/units";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CreationEnd } from "@/components/ui/creation-end";
import { Field, Input, Options, Select, TextArea } from "@/components/ui/field";
import type { InputOf } from "@/components/vault/protocol";
import { useVault } from "@/components/vault/vault-provider";

interface Line {
  key: number;
  text: string;
  quantity: string;
  price: string;
}

/** What the form asks for. Its expiry counts from when it is encrypted. */
type Asked = Omit<InputOf<"encryptPaymentRequest">, "expires"> & { days: number };

const DAY_MS = 86_400_000;
const LIVES = [
  { value: "7", name: "7 days" },
  { value: "30", name: "30 days" },
  { value: "90", name: "90 days" },
  { value: "365", name: "A year" },
];
const EMPTY = { text: "", quantity: "1", price: "" };

const wrongIn = (amount: string, asset: string) => amountProblem(amount, decimalsOf(asset));

const text = (form: FormData, name: string) => String(form.get(name) ?? "").trim() || undefined;

function Lines({
  lines,
  asset,
  checked,
  onChange,
}: {
  lines: Line[];
  asset: string;
  /** Whether the form was submitted. */
  checked: boolean;
  onChange: (lines: Line[]) => void;
}) {
  const set = (key: number, change: Partial<Line>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...change } : line)));
  return (
    <div className="grid gap-3">
      {lines.map(({ key, ...line }, index) => (
        <div
          key={key}
          className="grid grid-cols-[5rem_minmax(0,1fr)_auto] items-end gap-3 sm:grid-cols-[minmax(0,1fr)_5rem_9rem_auto]"
        >
          <div className="max-sm:col-span-3">
            <Field label={`Line ${index + 1}`}>
              {(control) => (
                <Input
                  {...control}
                  value={line.text}
                  required
                  onChange={(event) => set(key, { text: event.target.value })}
                />
              )}
            </Field>
          </div>
          <Field label="Quantity">
            {(control) => (
              <Input
                {...control}
                inputMode="numeric"
                value={line.quantity}
                onChange={(event) => set(key, { quantity: event.target.value.trim() })}
              />
            )}
          </Field>
          <AmountEntry
            label="Unit price"
            asset={asset}
            required
            amount={line.price}
            onAmount={(price) => set(key, { price })}
            error={checked ? wrongIn(line.price, asset) : undefined}
            problem={wrongIn(line.price, asset)}
          />
          <Button
            aria-label={`Remove line ${index + 1}`}
            onClick={() => onChange(lines.filter((each) => each.key !== key))}
          >
            <Trash2 size={15} aria-hidden="true" />
          </Button>
        </div>
      ))}
      <div>
        <Button onClick={() => onChange([...lines, { key: Date.now(), ...EMPTY }])}>
          <Plus size={15} aria-hidden="true" />
          {lines.length === 0 ? "Add lines to make it an invoice" : "Add a line"}
        </Button>
      </div>
    </div>
  );
}

/** Asks for the details of a request and creates it, encrypted and signed in this browser. */
export function CreateRequest({ path, assets }: { path: string; assets: readonly string[] }) {
  const network = useNetwork();
  const vault = useVault();
  const router = useRouter();
  const { busy, error, isUnknown, isOther, param, create, forget } = useCreation({
    encrypt: ({ days, ...input }: Asked) =>
      vault.run("encryptPaymentRequest", { ...input, expires: new Date(Date.now() + days * DAY_MS).toISOString() }),
    store: (encrypted) => vault.run("storePaymentRequest", encrypted),
    onStored: ({ payment_request_id }) => router.push(`${path}/${payment_request_id}`),
  });
  const [asset, setAsset] = useState(assets[0] ?? "USDG");
  const [amount, setAmount] = useState("");
  const [checked, setChecked] = useState(false);
  const [lines, setLines] = useState<Line[]>([]);
  const isInvoice = lines.length > 0;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    const amounts = isInvoice ? lines.map(({ price }) => price) : [amount];
    if (amounts.some((each) => wrongIn(each, asset))) return;
    const form = new FormData(event.currentTarget);
    create({
      asset,
      note: text(form, "note"),
      reference: text(form, "reference"),
      days: Number(form.get("days") ?? "30"),
      ...(isInvoice
        ? {
            lines: lines.map(({ text, quantity, price }) => ({ text, quantity: Number(quantity), price })),
            due: text(form, "due"),
            number: text(form, "number"),
            seller: text(form, "seller"),
            customer: text(form, "customer"),
          }
        : { amount }),
    });
  };
  const of = (name: string) => (param === name ? error : undefined);
  return (
    <form onSubmit={submit} key={network} className="grid gap-5">
      <Card title="What you ask for" description="Encrypted in this browser, for those who have the link.">
        <div className="grid gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            {!isInvoice && (
              <AmountEntry
                label="Amount"
                asset={asset}
                required
                amount={amount}
                onAmount={setAmount}
                error={(checked ? wrongIn(amount, asset) : undefined) ?? of("amount")}
                problem={wrongIn(amount, asset)}
              />
            )}
            {assets.length > 1 && (
              <Field label="Asset">
                {(control) => (
                  <Select {...control} value={asset} onChange={(event) => setAsset(event.target.value)}>
                    <Options choices={assets.map((value) => ({ value, name: value }))} />
                  </Select>
                )}
              </Field>
            )}
          </div>
          <Lines lines={lines} asset={asset} checked={checked} onChange={setLines} />
          <Field label="Note" optional hint="For the payer." error={of("note")}>
            {(control) => <TextArea {...control} name="note" rows={2} />}
          </Field>
          {isInvoice && (
            <div className="grid gap-4 sm:grid-cols-2">
              <Field label="Invoice number" optional error={of("number")}>
                {(control) => <Input {...control} name="number" autoComplete="off" />}
              </Field>
              <Field label="Due date" optional error={of("due")}>
                {(control) => <Input {...control} type="date" name="due" />}
              </Field>
              <Field label="From" optional hint="Your name and address." error={of("seller")}>
                {(control) => <TextArea {...control} name="seller" rows={3} />}
              </Field>
              <Field label="For" optional hint="Who pays." error={of("customer")}>
                {(control) => <TextArea {...control} name="customer" rows={3} />}
              </Field>
            </div>
          )}
        </div>
      </Card>
      <Card title="What the service knows">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Reference"
            optional
            hint="Such as an order number. The link does not show it."
            error={of("reference")}
          >
            {(control) => <Input {...control} name="reference" maxLength={64} autoComplete="off" />}
          </Field>
          <Field label="Can be paid within" error={of("expires")}>
            {(control) => (
              <Select {...control} name="days" defaultValue="30">
                <Options choices={LIVES} />
              </Select>
            )}
          </Field>
        </div>
      </Card>
      <CreationEnd
        {...{ error, isUnknown, isOther, busy }}
        verb={isInvoice ? "Create invoice" : "Create request"}
        href={path}
        look="Look at your requests"
        onForget={forget}
      />
    </form>
  );
}
