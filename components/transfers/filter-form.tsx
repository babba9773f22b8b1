"use client";

import { ChevronDown, ListFilter } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useRef } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input, Select } from "@/components/ui/field";
import { listHref, readFilters, type TransferFilters } from "./filters";

/** A choice of a select. */
export interface Choice {
  value: string;
  name: string;
}

function Choices({ every, choices }: { every: string; choices: readonly Choice[] }): ReactNode {
  return (
    <>
      <option value="">{every}</option>
      {choices.map(({ value, name }) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </>
  );
}

/**
 * Narrows the list. A form whose fields are the page's parameters: without JavaScript the browser sends it itself, with
 * JavaScript the page changes in place and its address stays short.
 */
export function FilterForm({
  path,
  filters,
  agents,
  keys,
  problem,
  open,
}: {
  path: string;
  filters: TransferFilters;
  agents: readonly Choice[];
  keys: readonly Choice[];
  /** What is wrong with the counterparty. */
  problem?: string;
  /** Shown at once: something is narrowed already. */
  open: boolean;
}) {
  const router = useRouter();
  const details = useRef<HTMLDetailsElement>(null);
  const apply = (form: HTMLFormElement) => {
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    router.push(listHref(path, readFilters(Object.fromEntries(entries))));
    if (details.current) details.current.open = false;
  };
  return (
    <details ref={details} open={open} className="group max-sm:border-line max-sm:border-t">
      <summary className="flex min-h-11 list-none items-center gap-2 px-4 text-muted text-sm hover:text-ink sm:absolute sm:top-2.5 sm:right-4 sm:min-h-8 sm:rounded-md sm:px-2.5 sm:hover:bg-sunken [&::-webkit-details-marker]:hidden">
        <ListFilter size={15} aria-hidden="true" />
        Filter
        <ChevronDown
          size={14}
          aria-hidden="true"
          className="transition-transform group-open:rotate-180 max-sm:ml-auto"
        />
      </summary>
      <form
        method="get"
        action={path}
        onSubmit={(event) => {
          event.preventDefault();
          apply(event.currentTarget);
        }}
        // A new address gives the fields new values.
        key={listHref(path, filters)}
        className="grid items-start gap-4 border-line px-4 pb-4 sm:grid-cols-2 sm:border-t sm:p-5 lg:grid-cols-4"
      >
        {filters.status && <input type="hidden" name="status" value={filters.status} />}
        <Field label="Counterparty" error={problem}>
          {(control) => (
            <Input
              {...control}
              name="counterparty"
              defaultValue={filters.counterparty}
              placeholder="@handle or 0x address"
              autoComplete="off"
              spellCheck={false}
            />
          )}
        </Field>
        <Field label="Direction">
          {(control) => (
            <Select {...control} name="direction" defaultValue={filters.direction ?? ""}>
              <Choices
                every="Sent and received"
                choices={[
                  { value: "sent", name: "Sent" },
                  { value: "received", name: "Received" },
                ]}
              />
            </Select>
          )}
        </Field>
        <Field label="Asset">
          {(control) => (
            <Select {...control} name="asset" defaultValue={filters.asset ?? ""}>
              <Choices every="All assets" choices={["USDG", "ETH"].map((value) => ({ value, name: value }))} />
            </Select>
          )}
        </Field>
        <Field label="Agent">
          {(control) => (
            <Select {...control} name="agent" defaultValue={filters.agent ?? ""}>
              <Choices every="Account and agents" choices={agents} />
            </Select>
          )}
        </Field>
        <Field label="Paid with API key">
          {(control) => (
            <Select {...control} name="key" defaultValue={filters.key ?? ""}>
              <Choices every="Any or none" choices={keys} />
            </Select>
          )}
        </Field>
        <Field label="From, UTC">
          {(control) => <Input {...control} type="date" name="from" defaultValue={filters.from} />}
        </Field>
        <Field label="To, UTC">
          {(control) => <Input {...control} type="date" name="to" defaultValue={filters.to} />}
        </Field>
        <div className="lg:self-end">
          <Button type="submit" className="w-full lg:w-auto">
            Apply filters
          </Button>
        </div>
      </form>
    </details>
  );
}
