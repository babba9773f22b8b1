"use client";

import { type Choice, Choices, FilterFrame } from "@/components/lists/filter-frame";
import { hrefOf } from "@/components/lists/search-params";
import { Field, Input, Select } from "@/components/ui/field";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import { type DeliveryFilters, readFilters } from "./filters";

/** Narrows a delivery log. Its status has tabs of its own. */
export function DeliveryFilterForm({
  path,
  filters,
  webhooks,
  problem,
}: {
  path: string;
  filters: DeliveryFilters;
  /** Of the log over all webhooks. */
  webhooks?: readonly Choice[];
  /** What is wrong with the event's id. */
  problem?: string;
}) {
  return (
    <FilterFrame
      path={path}
      current={hrefOf(path, filters)}
      hrefFor={(fields) => hrefOf(path, readFilters(fields))}
      open={problem !== undefined}
    >
      {filters.status && <input type="hidden" name="status" value={filters.status} />}
      {webhooks && (
        <Field label="Endpoint">
          {(control) => (
            <Select {...control} name="webhook" defaultValue={filters.webhook ?? ""}>
              <Choices every="All endpoints" choices={webhooks} />
            </Select>
          )}
        </Field>
      )}
      <Field label="Event type">
        {(control) => (
          <Select {...control} name="event" defaultValue={filters.event ?? ""}>
            <Choices every="All types" choices={EVENT_TYPES.map((value) => ({ value, name: value }))} />
          </Select>
        )}
      </Field>
      <Field label="Event ID" error={problem}>
        {(control) => (
          <Input
            {...control}
            name="event_id"
            defaultValue={filters.event_id}
            placeholder="evt_…"
            autoComplete="off"
            spellCheck={false}
          />
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
