"use client";

import type { FormEvent } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { Button } from "@/components/ui/button";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Field, Input } from "@/components/ui/field";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { StepText } from "./step";

const TYPES = [
  ["personal", "Personal", "For yourself"],
  ["business", "Business", "For a company"],
] as const;

/** Chooses the handle and the kind of account. */
export function HandleStep({ onDone }: { onDone: (handle: string) => void }) {
  const network = useNetwork();
  const { busy, error, isUnknown, param, run } = useAsyncAction();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const handle = String(form.get("handle")).trim().replace(/^@/, "");
    return run(async () => {
      const account = await api(network).post<{ handle: string }>("/api/accounts", { handle, type: form.get("type") });
      onDone(account.handle);
    });
  };
  const aboutHandle = param === "handle" || /handle/i.test(error ?? "");
  return (
    <form onSubmit={submit} className="grid gap-5">
      <StepText>Others pay you at this name instead of an address. It cannot be changed later.</StepText>
      <Field
        label="Handle"
        hint="3 to 63 letters, digits, hyphens and underscores."
        error={aboutHandle ? error : undefined}
      >
        {(control) => (
          <div className="relative">
            <span aria-hidden="true" className="absolute inset-y-0 left-3 grid place-items-center text-muted">
              @
            </span>
            <Input
              {...control}
              name="handle"
              required
              minLength={3}
              maxLength={64}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="pl-8"
            />
          </div>
        )}
      </Field>
      <fieldset className="grid gap-1.5">
        <legend className="mb-1.5 font-medium">Kind of account</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {TYPES.map(([value, name, text]) => (
            <label
              key={value}
              className="flex cursor-pointer items-center gap-3 rounded-lg border border-line-strong px-3.5 py-2.5 has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
            >
              <input
                type="radio"
                name="type"
                value={value}
                defaultChecked={value === "personal"}
                className="accent-accent"
              />
              <span>
                <span className="block font-medium">{name}</span>
                <span className="block text-muted text-xs">{text}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {error && !aboutHandle && <ErrorCallout isUnknown={isUnknown}>{error}</ErrorCallout>}
      <div>
        <Button type="submit" tone="primary" busy={busy}>
          Create account
        </Button>
      </div>
    </form>
  );
}
