"use client";

import { Choices, FilterFrame } from "@/components/lists/filter-frame";
import { hrefOf } from "@/components/lists/search-params";
import { Field, Input, Select } from "@/components/ui/field";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import { type EventFilters, readFilters } from "./filters";

/** Narrows the list of events. */
export function EventFilterForm({ path, filters }: { path: string; filters: EventFilters }) {
  return (
    <FilterFrame
      path={path}
      current={hrefOf(path, filters)}
      hrefFor={(fields) => hrefOf(path, readFilters(fields))}
      open={false}
    >
      <Field label="Type">
        {(control) => (
          <Select {...control} name="type" defaultValue={filters.type ?? ""}>
            <Choices every="All types" choices={EVENT_TYPES.map((value) => ({ value, name: value }))} />
          </Select>
        )}
      </Field>
      <Field label="From, UTC">
        {(control) => <Input {...control} type="date" name="from" defaultValue={filters.from} />}
      </Field>
      <Field label="To, UTC">
        {(control) => <Input {...control} type="date" name="to" defaultValue={filters.to} />}
      </Field>
    </FilterFrame>
  );
}
