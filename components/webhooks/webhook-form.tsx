"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Field, Input } from "@/components/ui/field";
import { LookFirst } from "@/components/ui/look-first";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { EVENT_GROUPS, EVENT_SAYS } from "@/components/webhooks/events/wording";
import { EVENT_TYPES, type EventType } from "@/lib/events/catalogue";

/** What a person sets for a webhook. */
interface WebhookSettings {
  url: string;
  events: EventType[];
  store_responses: boolean;
}

/** The event catalog to choose from. */
function Catalogue({ chosen, onChange }: { chosen: readonly EventType[]; onChange: (chosen: EventType[]) => void }) {
  const toggle = (type: EventType, on: boolean) =>
    onChange(EVENT_TYPES.filter((each) => (each === type ? on : chosen.includes(each))));
  return (
    <fieldset className="min-w-0">
      <legend className="font-medium text-sm">Events</legend>
      <div className="mt-1.5 divide-y divide-line rounded-lg border border-line-strong">
        <div className="p-3">
          <Checkbox
            label="All events"
            checked={chosen.length === EVENT_TYPES.length}
            onChange={(on) => onChange(on ? [...EVENT_TYPES] : [])}
          />
        </div>
        {EVENT_GROUPS.map(({ name, types }) => (
          <fieldset key={name} className="grid min-w-0 gap-2.5 p-3">
            <legend className="sr-only">{name}</legend>
            <p aria-hidden="true" className="text-faint text-xs">
              {name}
            </p>
            {types.map((type) => (
              <Checkbox
                key={type}
                label={<span className="wrap-anywhere font-mono text-[13px]">{type}</span>}
                hint={EVENT_SAYS[type]}
                checked={chosen.includes(type)}
                onChange={(on) => toggle(type, on)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </fieldset>
  );
}

/**
 * Edits a webhook's address, events and log settings.
 *
 * @param local whether the network is a local stack's, which delivers to `http://localhost`
 * @param verb the label of the submit button
 * @param list the path of the list, if submitting again would make a second webhook
 * @param onSubmit throws the service's error
 */
export function WebhookForm({
  initial,
  local,
  verb,
  list,
  onSubmit,
}: {
  initial: WebhookSettings;
  local: boolean;
  verb: string;
  list?: string;
  onSubmit: (settings: WebhookSettings) => Promise<void>;
}) {
  const [events, setEvents] = useState(initial.events);
  const [storeResponses, setStoreResponses] = useState(initial.store_responses);
  const { busy, error, isUnknown, param, run } = useAsyncAction();
  const ofUrl = param === "url";
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error && ofUrl) field.current?.focus();
  }, [error, ofUrl]);
  const mayExist = isUnknown && list !== undefined;
  const save = (form: HTMLFormElement) => {
    const url = String(new FormData(form).get("url")).trim();
    return run(() => onSubmit({ url, events, store_responses: storeResponses }));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    // Enter in the only text field submits a form that has no button for it.
    if (!mayExist) void save(event.currentTarget);
  };
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <Field
        label="Endpoint URL"
        hint={
          local
            ? "A public https address, or http://localhost at any port: this is a local network."
            : "A public https address, on port 443 or 8443. It gets a POST for each event."
        }
        error={ofUrl ? error : undefined}
      >
        {(control) => (
          <Input
            {...control}
            ref={field}
            name="url"
            type="url"
            inputMode="url"
            defaultValue={initial.url}
            placeholder="https://example.com/hooks/halcyon"
            autoComplete="off"
            spellCheck={false}
            autoFocus
            className="font-mono sm:text-[13px]!"
          />
        )}
      </Field>
      <Catalogue chosen={events} onChange={setEvents} />
      <Checkbox
        label="Store responses"
        hint="Shows the first 256 bytes of what your endpoint returns beside each attempt."
        checked={storeResponses}
        onChange={setStoreResponses}
      />
      {mayExist ? (
        <LookFirst error={error} href={list} look="Look at your webhooks">
          <Button
            size="small"
            disabled={events.length === 0}
            onClick={({ currentTarget: { form } }) => form && void save(form)}
          >
            It is not in the list: add it
          </Button>
        </LookFirst>
      ) : (
        <>
          {error && !ofUrl && <ErrorCallout isUnknown={isUnknown}>{error}</ErrorCallout>}
          <div className="sticky -bottom-4 -mx-5 -mb-4 flex items-center justify-end gap-3 border-line border-t bg-raised px-5 py-3.5">
            {events.length === 0 && <p className="text-muted text-xs">Choose at least one event.</p>}
            <Button type="submit" tone="primary" busy={busy} disabled={events.length === 0}>
              {verb}
            </Button>
          </div>
        </>
      )}
    </form>
  );
}
