"use client";

import { ArrowRight } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { Dialog } from "@/components/ui/dialog";
import { ErrorCallout } from "@/components/ui/error-callout";
import { useToast } from "@/components/ui/toast";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { recipientInWords } from "@/lib/policy/number-words";
import { WORDS } from "@/lib/policy/rules";
import type { PolicyFields, SpendPolicy as Rules } from "@/lib/policy/spend-policy";
import type { SpendPolicyFields } from "@/sdk/api/resources/agents";
import { contradictionsIn } from "./contradictions";
import { changesBetween, checkDraft, draftOf, fieldsOfDraft, isChanged } from "./draft";
import { PolicyEditor } from "./policy-editor";
import { PolicySentence } from "./policy-sentence";

/** The words that depend on whose policy is edited. */
interface EditWords {
  /** What is lost when the person leaves. */
  unsaved: string;
  /** The question before saving: "Save this policy?" */
  ask: string;
  /** What the saved policy applies to. */
  holds: string;
  /** The label of the button that saves. */
  save: string;
  /** The message after saving: "Policy saved". */
  saved: string;
}

/** Edits a policy. Explains it as it changes, tests it, shows the differences, and saves only the changed fields. */
export function PolicyEdit({
  stored,
  updatedAt,
  isNew = false,
  words,
  save: send,
  trial,
  home,
}: {
  /** The stored policy; it may change while the editor is open. For a new policy, the form's initial values. */
  stored: PolicyFields;
  updatedAt?: string;
  /** Whether nothing is stored yet, so that all fields are saved. */
  isNew?: boolean;
  words: EditWords;
  /** Signs the given fields and saves them. */
  save: (fields: SpendPolicyFields) => Promise<unknown>;
  /** Renders the test of the draft; gets null while the service would refuse the draft. */
  trial?: (rules: Rules | null) => ReactNode;
  /** Path of the page that shows the policy. The editor goes there after saving or discarding. */
  home: string;
}) {
  const router = useRouter();
  const toast = useToast();
  const confirm = useRef<HTMLButtonElement>(null);
  const [begun] = useState({ stored, updatedAt });
  const [draft, setDraft] = useState(() => draftOf(stored));
  const [reviewing, setReviewing] = useState(false);
  const checked = checkDraft(draft);
  const changed = isChanged(draft, begun.stored);
  const changes = checked.fields ? changesBetween(begun.stored, checked.fields) : [];
  const savable = changes.length > 0 || (isNew && checked.fields !== null);
  const { busy, error, isUnknown, run } = useAsyncAction();
  const [saved, setSaved] = useState(false);
  // Replaces this page, so that Back does not return to a finished editor.
  const leave = () => router.replace(home);
  const save = () =>
    run(async () => {
      if (!checked.fields) throw new Error("a refused draft is not saved");
      const fields = fieldsOfDraft(draft);
      await send(isNew ? fields : Object.fromEntries(changes.map((field) => [field, checked.fields[field]])));
      setSaved(true);
      toast.success(words.saved, "It takes effect with the next payment.");
      leave();
    });
  const contradictions = [...new Set(Object.values(contradictionsIn(draft)))];
  const count = Object.keys(checked.problems ?? {}).length;
  return (
    <Card>
      <UnsavedGuard unsaved={changed && !busy && !saved} what={words.unsaved} />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (savable) setReviewing(true);
        }}
        className="grid gap-5"
      >
        <noscript>
          <p className="text-muted text-sm">Saving needs JavaScript: the policy is signed in your browser.</p>
        </noscript>
        <PolicySentence policy={checked.fields} />
        {updatedAt !== begun.updatedAt && (
          <Callout tone="warning" title="The policy was changed elsewhere in the meantime.">
            Only the fields you change here are saved; the others keep their new values.
          </Callout>
        )}
        {trial ? (
          <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_18.5rem] lg:gap-8">
            <PolicyEditor draft={draft} onDraft={setDraft} problems={checked.problems} />
            <div className="border-line max-lg:border-t max-lg:pt-5 lg:border-l lg:pl-6">{trial(checked.policy)}</div>
          </div>
        ) : (
          <PolicyEditor draft={draft} onDraft={setDraft} problems={checked.problems} />
        )}
        <div className="sticky bottom-0 -mx-4 -mb-4 flex flex-wrap items-center justify-end gap-2 rounded-b-xl border-line border-t bg-raised px-4 py-3 sm:-mx-5 sm:-mb-5 sm:px-5">
          <p role="status" className="mr-auto text-muted text-sm">
            {count > 0
              ? `${count} ${count === 1 ? "field needs" : "fields need"} correcting`
              : isNew
                ? "Not saved yet"
                : changes.length > 0
                  ? `${changes.length} ${changes.length === 1 ? "change" : "changes"}, not saved`
                  : "No changes"}
          </p>
          <Button onClick={leave}>{changed ? "Discard" : isNew ? "Cancel" : "Close"}</Button>
          <Button type="submit" tone="primary" disabled={!savable}>
            {isNew ? "Review" : "Review changes"}
          </Button>
        </div>
      </form>
      <Dialog
        open={reviewing}
        onClose={() => setReviewing(false)}
        dismissible={!busy}
        initialFocus={confirm}
        title={words.ask}
        description={words.holds}
        footer={
          <>
            <Button onClick={() => setReviewing(false)} disabled={busy}>
              Keep editing
            </Button>
            <Button ref={confirm} tone="primary" busy={busy} onClick={save}>
              {words.save}
            </Button>
          </>
        }
      >
        {checked.fields && (
          <div className="grid gap-4">
            <PolicySentence policy={checked.fields} />
            {contradictions.length > 0 && (
              <Callout tone="warning" title="Some limits contradict each other.">
                <ul className="grid gap-0.5">
                  {contradictions.map((each) => (
                    <li key={each}>{each}</li>
                  ))}
                </ul>
              </Callout>
            )}
            {!isNew && <PolicyDifference before={begun.stored} after={checked.fields} changes={changes} />}
            {error && (
              <ErrorCallout isUnknown={isUnknown} failed="It could not be saved.">
                {error}
              </ErrorCallout>
            )}
          </div>
        )}
      </Dialog>
    </Card>
  );
}

function Names({ entries, sign, tone }: { entries: readonly string[]; sign: string; tone: string }) {
  return entries.map((entry) => (
    <span key={entry} className={`wrap-anywhere ${tone}`}>
      <span aria-hidden="true">{sign}</span> {entry === "*" ? "anyone" : recipientInWords(entry)}
      <span className="sr-only">{sign === "+" ? " added" : " removed"}</span>
    </span>
  ));
}

/** For a list, what is added and removed says more than two full lists. */
function RecipientChange({ before, after }: { before: PolicyFields; after: PolicyFields }) {
  const removed = before.allowed_recipients.filter((entry) => !after.allowed_recipients.includes(entry));
  const added = after.allowed_recipients.filter((entry) => !before.allowed_recipients.includes(entry));
  if (removed.length + added.length === 0) return "Same recipients, in another order";
  return (
    <span className="flex flex-wrap gap-x-4 gap-y-1">
      <Names entries={added} sign="+" tone="font-medium text-success" />
      <Names entries={removed} sign="−" tone="text-danger" />
    </span>
  );
}

/** Shows what saving would change, field by field. */
function PolicyDifference({
  before,
  after,
  changes,
}: {
  before: PolicyFields;
  after: PolicyFields;
  changes: readonly (keyof PolicyFields)[];
}) {
  return (
    <dl className="divide-y divide-line rounded-lg border border-line">
      {changes.map((field) => (
        <div key={field} className="grid gap-1 px-3.5 py-2.5 sm:grid-cols-[7rem_minmax(0,1fr)] sm:gap-4">
          <dt className="text-muted text-sm">{WORDS[field].label}</dt>
          <dd className="min-w-0 text-sm tabular-nums">
            {field === "allowed_recipients" ? (
              <RecipientChange before={before} after={after} />
            ) : (
              <span className="flex flex-wrap items-center gap-x-2">
                <span className="text-muted">{WORDS[field].brief(before)}</span>
                <ArrowRight size={13} aria-label="becomes" className="shrink-0 text-faint" />
                <span className="font-medium">{WORDS[field].brief(after)}</span>
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
