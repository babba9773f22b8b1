"use client";

import { type FormEvent, useState } from "react";
import { AmountEntry } from "@/components/money/amount-entry";
import { AvailableHint } from "@/components/money/available-hint";
import { holdingOf, isDecrypted } from "@/components/money/holdings";
import { amountProblem, toUnits } from "@/components/money/units";
import { FUNDS } from "@/components/money/use-funds";
import { checkDraft, draftOf, isChanged, NEW_POLICY } from "@/components/policy/draft";
import { PolicyEditor } from "@/components/policy/policy-editor";
import { PolicySentence } from "@/components/policy/policy-sentence";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Checkbox } from "@/components/ui/checkbox";
import { Field, Input } from "@/components/ui/field";
import { UnsavedGuard } from "@/components/ui/unsaved-guard";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useDecrypted } from "@/components/vault/vault-provider";
import { AgentName } from "@/lib/policy/schema";
import { CreateProgress } from "./create-progress";
import { isCreationOver, useCreateAgent } from "./create-steps";
import { CreatedAgent } from "./created-agent";

/** Creates an agent with its name, policy, first funding and first API key in one step, prepared in this browser. */
export function NewAgent({ owner, taken, origin }: { owner: string; taken: readonly string[]; origin: string }) {
  const funds = useDecrypted("funds", FUNDS);
  const { creation, start, again, leaveOut, reset } = useCreateAgent();
  const [name, setName] = useState("");
  const [draft, setDraft] = useState(() => draftOf(NEW_POLICY));
  const [funding, setFunding] = useState("");
  const [withKey, setWithKey] = useState(true);
  const [label, setLabel] = useState("First key");
  const [checked, setChecked] = useState(false);
  const { busy, run } = useAsyncAction({ failed: "The agent was not created" });
  const { fields, problems } = checkDraft(draft);
  const handle = `${owner}/${name || "…"}`;

  if (creation?.agent && isCreationOver(creation)) {
    return <CreatedAgent agent={creation.agent} creation={creation} origin={origin} />;
  }
  if (creation) {
    return (
      <>
        <UnsavedGuard
          unsaved={!isCreationOver(creation)}
          what="The agent is not finished. What is done stays done; you can do the rest on its page."
        />
        <CreateProgress
          creation={creation}
          handle={`${owner}/${creation.wanted.name}`}
          onAgain={() => void again()}
          onLeaveOut={leaveOut}
          onBack={reset}
        />
      </>
    );
  }

  const holding = holdingOf(funds.data, "USDG");
  const available = isDecrypted(holding) ? holding.available : undefined;
  const wrong = {
    name: taken.includes(handle.toLowerCase())
      ? "You have an agent with this name. Choose another."
      : AgentName.safeParse(name).success
        ? undefined
        : "Use 1 to 32 characters: lowercase letters a-z, digits, - and _.",
    funding: funding === "" ? undefined : fundingProblem(funding, available),
    label: withKey && label.trim() === "" ? "Say what will use the key." : undefined,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (wrong.name || wrong.funding || wrong.label || !fields) return;
    return run(() => start({ name, policy: fields, funding: funding || null, key: withKey ? label.trim() : null }));
  };
  const touched = name !== "" || funding !== "" || isChanged(draft, NEW_POLICY);
  return (
    <form onSubmit={submit} noValidate className="grid gap-4">
      <UnsavedGuard unsaved={touched} what="The agent has not been created. What you entered is lost." />
      <Card title="Agent" description="How others see it on this network. The name can't be changed later.">
        <Field
          label="Name"
          hint={<span className="wrap-anywhere">Others see it as {handle}</span>}
          error={checked || wrong.name?.startsWith("You have") ? wrong.name : undefined}
        >
          {(control) => (
            <Input
              {...control}
              value={name}
              onChange={(event) => setName(event.target.value.trim().toLowerCase())}
              placeholder="procurement"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="sm:max-w-sm"
            />
          )}
        </Field>
      </Card>
      <Card
        title="Policy"
        description="What it may spend without asking you. You can change it at any time; changes take effect at once."
      >
        <div className="grid gap-5">
          <PolicySentence policy={fields} />
          <PolicyEditor draft={draft} onDraft={setDraft} problems={problems} />
        </div>
      </Card>
      <Card
        title="First money and first key"
        description="Both are optional; you can do them later on the agent's page."
      >
        <div className="grid gap-5">
          <AmountEntry
            label="Fund it with"
            optional
            hint={<AvailableHint available={available} asset="USDG" />}
            asset="USDG"
            amount={funding}
            onAmount={setFunding}
            error={checked ? wrong.funding : undefined}
            problem={wrong.funding}
            placeholder="0.00"
            className="sm:max-w-sm"
          />
          <Checkbox
            label="Create a first API key"
            hint="It pays only from this agent, within its policy. It is shown once."
            checked={withKey}
            onChange={setWithKey}
          />
          {withKey && (
            <Field
              label="Key label"
              hint="What uses it, such as the name of a server."
              error={checked ? wrong.label : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  value={label}
                  onChange={(event) => setLabel(event.target.value)}
                  maxLength={80}
                  autoComplete="off"
                  className="sm:max-w-sm"
                />
              )}
            </Field>
          )}
        </div>
      </Card>
      <div className="flex flex-wrap items-center justify-end gap-3">
        {checked && (problems || wrong.name || wrong.funding || wrong.label) && (
          <p role="alert" className="text-danger text-sm">
            Correct the marked fields first.
          </p>
        )}
        <Button type="submit" tone="primary" busy={busy}>
          Create agent
        </Button>
      </div>
    </form>
  );
}

function fundingProblem(amount: string, available: string | undefined): string | undefined {
  const wrong = amountProblem(amount, 6);
  if (wrong || available === undefined || toUnits(amount, 6) <= toUnits(available, 6)) return wrong;
  return "Your available balance does not cover this. Enter less, or make more money available first.";
}
