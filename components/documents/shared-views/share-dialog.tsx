"use client";

import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Field, Input, Options, Select } from "@/components/ui/field";
import { Time } from "@/components/ui/time";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import type { CreatedSharedView } from "@/sdk/statements/shared-views/shared-view-input";
import type { StatementInput } from "@/sdk/statements/statement-input";

const SPANS = [
  { value: "7", name: "7 days" },
  { value: "30", name: "30 days" },
  { value: "90", name: "90 days" },
  { value: "365", name: "A year" },
];
const DAY_MS = 86_400_000;

/** Asks how to share a statement's payments, shares them, and shows the link once. */
export function ShareDialog({ input, onClose }: { input: StatementInput; onClose: () => void }) {
  const vault = useVault();
  const network = useNetwork();
  const client = useQueryClient();
  const { busy, error, isUnknown, run } = useAsyncAction();
  const [memos, setMemos] = useState(false);
  const [shared, setShared] = useState<CreatedSharedView>();
  if (shared && vault.status === "locked") setShared(undefined);

  const share = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    void run(async () => {
      const expires = new Date(Date.now() + Number(text("span")) * DAY_MS);
      const counterparty = text("counterparty") || undefined;
      const asked = { ...input, label: text("label"), counterparty, memos, expires };
      setShared(await vault.run("shareView", asked));
      await client.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/shared-views") });
    });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={shared ? "Your link" : "Share with an accountant"}
      description={
        shared
          ? "It is shown once: we don't have its key. Anyone with it sees these payments."
          : "A link that shows only the payments of this period, and proves each against the chain."
      }
    >
      {shared ? (
        <div className="grid gap-4">
          <Field label="Link">
            {(control) => (
              <Input
                {...control}
                readOnly
                value={shared.url}
                onFocus={(event) => event.currentTarget.select()}
                className="font-mono sm:text-xs!"
              />
            )}
          </Field>
          <p className="text-pretty text-muted text-sm">
            It shows {shared.payments} {shared.payments === 1 ? "payment" : "payments"} until{" "}
            <Time value={shared.expires_at} deadline />.
            {shared.left_out > 0 && ` ${shared.left_out} can't be decrypted and are not in it.`} Until someone opens it,
            you can delete it. After that you can't take it back.
          </p>
          <div className="flex justify-end gap-2">
            <Button onClick={onClose}>Done</Button>
            <CopyButton value={shared.url} label="link" text="Copy link" tone="primary" size="medium" />
          </div>
        </div>
      ) : (
        <form onSubmit={share} className="grid gap-4">
          <Field label="Name" hint="For your list. Halcyon can read it, and so can those with the link.">
            {(control) => <Input {...control} name="label" required maxLength={80} placeholder="Accountant, Q3" />}
          </Field>
          <Field label="Only payments with" hint="Leave empty for everyone.">
            {(control) => (
              <Input
                {...control}
                name="counterparty"
                placeholder="@handle or 0x address"
                spellCheck={false}
                autoComplete="off"
              />
            )}
          </Field>
          <Field label="Expires after">
            {(control) => (
              <Select {...control} name="span" defaultValue="30">
                <Options choices={SPANS} />
              </Select>
            )}
          </Field>
          <Checkbox label="Also show memos" checked={memos} onChange={setMemos} />
          <Callout tone="warning">
            It proves that each payment shown is real, not that the list is complete. Once someone has opened it, you
            can't take it back.
          </Callout>
          {error && (
            <ErrorCallout isUnknown={isUnknown} failed="Nothing was shared">
              {error}
            </ErrorCallout>
          )}
          <div className="flex justify-end gap-2">
            <Button onClick={onClose} disabled={busy}>
              Cancel
            </Button>
            <Button type="submit" tone="primary" busy={busy}>
              Create link
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
