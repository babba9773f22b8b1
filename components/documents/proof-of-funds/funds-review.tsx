"use client";

import { type FormEvent, useState } from "react";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { Fact } from "@/components/ui/fact";
import { FormEnd } from "@/components/ui/form-end";
import { FullAddress } from "@/components/ui/full-address";
import { Time } from "@/components/ui/time";
import type { ProofOfFundsPreview, ShownProof } from "@/sdk/statements/proofs-of-funds/preview-proof-of-funds";

/** Shows everything that a proof will reveal, and what was revealed before. */
export function FundsReview({
  preview,
  busy,
  error,
  isUnknown,
  onBack,
  onProve,
}: {
  preview: ProofOfFundsPreview;
  busy: boolean;
  error?: string;
  isUnknown: boolean | undefined;
  onBack: () => void;
  /** @param again whether the owner agrees to reveal more to this verifier than before */
  onProve: (again: boolean) => void;
}) {
  const [agreed, setAgreed] = useState(false);
  const blocked = preview.needs_again && !agreed;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!blocked) onProve(agreed);
  };
  return (
    <form onSubmit={submit} className="grid gap-4">
      <dl className="divide-y divide-line border-line border-y">
        <Fact name="At least">
          <Amount value={preview.at_least} asset={preview.asset} />
        </Fact>
        <Fact name="Verifier">
          <span className="wrap-anywhere font-medium">{preview.verifier}</span>
        </Fact>
        <Fact name="Purpose">
          <span className="wrap-anywhere">{preview.purpose || "None"}</span>
        </Fact>
        <Fact name="Account">
          <FullAddress value={preview.account} />
        </Fact>
        <Fact name="Network">{preview.network}</Fact>
        <Fact name="Block">The newest</Fact>
        <Fact name="Expires">
          <Time value={preview.expires_at} deadline />
        </Fact>
        <Fact name="Challenge">
          <span className="wrap-anywhere font-mono text-[13px]">{preview.challenge ?? "Random"}</span>
        </Fact>
      </dl>
      <p className="text-pretty text-muted text-sm">
        Is <span className="wrap-anywhere">{preview.verifier}</span> who asked you? Someone who sends you another's
        challenge can use the proof there in your place.
      </p>
      {preview.shown.length > 0 && <Shown shown={preview.shown} />}
      {preview.needs_again && (
        <Callout tone="warning" title="This verifier may learn more than you want.">
          <div className="grid gap-2">
            It saw less in the last 30 days, and now asks for more. Each proof narrows down your balance.
            <Checkbox label="Show this one too" checked={agreed} onChange={setAgreed} disabled={busy} />
          </div>
        </Callout>
      )}
      <FormEnd error={blocked ? undefined : error} isUnknown={isUnknown} busy={busy} verb="Create proof">
        <Button onClick={onBack} disabled={busy}>
          Back
        </Button>
      </FormEnd>
    </form>
  );
}

function Shown({ shown }: { shown: readonly ShownProof[] }) {
  return (
    <div className="grid gap-1.5 text-sm">
      <p className="font-medium">Shown so far</p>
      <ul className="grid gap-1 text-muted">
        {shown.map(({ verifier, asset, at_least, asked_at }) => (
          <li key={`${verifier} ${asset}`} className="wrap-anywhere">
            {verifier}: {at_least === null ? "no proof was made" : `at least ${at_least} ${asset}`},{" "}
            <Time value={asked_at} day />
          </li>
        ))}
      </ul>
    </div>
  );
}
