"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { UnsavedGuard } from "@/components/shell/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { Dialog } from "@/components/ui/dialog";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { loosens } from "@/lib/policy/loosens";
import { SpendPolicyInput } from "@/lib/policy/schema";
import type { SpendPolicy } from "@/sdk/api/resources/agents";
import { changesBetween, checkDraft, draftOf, fieldsOf, isChanged } from "./draft";
import { PolicyDifference } from "./policy-difference";
import { PolicyEditor } from "./policy-editor";
import { PolicySentence } from "./policy-sentence";
import { TryPolicy } from "./try-policy";

/** Edits an agent's policy: says what it means as it changes, tries it, shows the difference, saves what changed. */
export function PolicyEdit({
  agentId,
  handle,
  stored,
  onClose,
}: {
  agentId: string;
  handle: string;
  /** As the service has it now; it may change while this is open. */
  stored: SpendPolicy;
  onClose: () => void;
}) {
  const network = useNetwork();
  const router = useRouter();
  const queries = useQueryClient();
  const toast = useToast();
  const vault = useVault();
  const confirm = useRef<HTMLButtonElement>(null);
  const [begun] = useState(stored);
  const [draft, setDraft] = useState(() => draftOf(stored));
  const [reviewing, setReviewing] = useState(false);
  const checked = checkDraft(draft);
  const changed = isChanged(draft, begun);
  const changes = checked.fields ? changesBetween(begun, checked.fields) : [];
  const path = `/api/agents/${agentId}/spend-policy` as const;
  const { busy, error, run } = useAsyncAction();
  const [saved, setSaved] = useState(false);
  const send = () => {
    const { fields } = checked;
    if (!fields) throw new Error("a refused draft is not saved");
    const patch = Object.fromEntries(changes.map((field) => [field, fields[field]]));
    // The wallet is asked for what loosens; anything else needs no more than the session.
    if (checked.policy && loosens(SpendPolicyInput.parse(fieldsOf(draftOf(begun))), checked.policy)) {
      return vault.run("setPolicy", { agent: handle, fields: patch });
    }
    return api(network).patch<SpendPolicy>(path, patch);
  };
  const save = () =>
    run(async () => {
      queries.setQueryData(resourceKeys.one(network, path), await send());
      setSaved(true);
      toast.success("Policy saved", "It holds from the next payment on.");
      router.refresh();
      onClose();
    });
  const count = Object.keys(checked.problems ?? {}).length;
  return (
    <Card
      title="Edit policy"
      description="What the agent may spend without asking you. It holds from the moment you save it."
    >
      <UnsavedGuard
        unsaved={changed && !busy && !saved}
        what={`The policy of ${handle} stays as it was before you edited it.`}
      />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (changes.length > 0) setReviewing(true);
        }}
        className="grid gap-5"
      >
        <PolicySentence policy={checked.fields} />
        {stored.updated_at !== begun.updated_at && (
          <Callout tone="warning" title="The policy was changed elsewhere meanwhile.">
            Only the fields you change here are saved; the others keep their new values.
          </Callout>
        )}
        <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_18.5rem] lg:gap-8">
          <PolicyEditor draft={draft} onDraft={setDraft} problems={checked.problems} />
          <div className="border-line max-lg:border-t max-lg:pt-5 lg:border-l lg:pl-6">
            <TryPolicy agent={agentId} policy={checked.policy} />
          </div>
        </div>
        <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap items-center justify-end gap-2 rounded-b-xl border-line border-t bg-raised px-4 py-3 sm:-mx-5 sm:-mb-5 sm:px-5">
          <p role="status" className="mr-auto text-muted text-sm">
            {count > 0
              ? `${count} ${count === 1 ? "field needs" : "fields need"} correcting`
              : changes.length > 0
                ? `${changes.length} ${changes.length === 1 ? "change" : "changes"}, not saved`
                : "No changes"}
          </p>
          <Button onClick={onClose}>{changed ? "Discard" : "Close"}</Button>
          <Button type="submit" tone="primary" disabled={changes.length === 0}>
            Review changes
          </Button>
        </div>
      </form>
      <Dialog
        open={reviewing}
        onClose={() => setReviewing(false)}
        dismissible={!busy}
        initialFocus={confirm}
        title="Save this policy?"
        description={`It holds for the next payment of ${handle}, everywhere.`}
        footer={
          <>
            <Button onClick={() => setReviewing(false)} disabled={busy}>
              Go on editing
            </Button>
            <Button ref={confirm} tone="primary" busy={busy} onClick={save}>
              Save policy
            </Button>
          </>
        }
      >
        {checked.fields && (
          <div className="grid gap-4">
            <PolicySentence policy={checked.fields} />
            <PolicyDifference before={begun} after={checked.fields} changes={changes} />
            {error && (
              <Callout tone="danger" title="Nothing was saved.">
                {error}
              </Callout>
            )}
          </div>
        )}
      </Dialog>
    </Card>
  );
}
