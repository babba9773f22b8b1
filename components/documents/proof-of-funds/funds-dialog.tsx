"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import type { MadeProofOfFunds } from "@/sdk/statements/proofs-of-funds/create-proof-of-funds";
import type { ProofOfFundsPreview } from "@/sdk/statements/proofs-of-funds/preview-proof-of-funds";
import type { ProofOfFundsInput } from "@/sdk/statements/proofs-of-funds/request-of";
import { FundsForm, type ProvableAsset } from "./funds-form";
import { FundsReview } from "./funds-review";

/** Asks what to prove to whom, shows everything the proof will reveal, and creates it once the owner has seen that. */
export function FundsDialog({
  assets,
  asset,
  onClose,
}: {
  assets: readonly ProvableAsset[];
  /** The asset selected at first. */
  asset: string;
  onClose: () => void;
}) {
  const vault = useVault();
  const { busy, error, isUnknown, run, reset } = useAsyncAction();
  const [asked, setAsked] = useState<{ input: ProofOfFundsInput; preview: ProofOfFundsPreview }>();
  const [made, setMade] = useState<MadeProofOfFunds>();
  if ((asked || made) && vault.status === "locked") {
    setAsked(undefined);
    setMade(undefined);
  }

  const preview = (input: ProofOfFundsInput) =>
    run(async () => setAsked({ input, preview: await vault.run("previewProofOfFunds", input) }));
  const prove = (again: boolean) =>
    run(async () => asked && setMade(await vault.run("makeProofOfFunds", { ...asked.input, again })));
  const back = () => {
    reset();
    setAsked(undefined);
  };
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      title={made ? "Your proof of funds" : asked ? "Check what will be proved" : "Prove funds"}
      description={
        made
          ? "Give this link only to the verifier. They need no account."
          : asked
            ? "Anyone who gets the proof can see all of this."
            : "A proof says that you hold at least a sum. It is made for one verifier, whom it names."
      }
    >
      {made ? (
        <FundsLink url={made.url} onClose={onClose} />
      ) : asked ? (
        <FundsReview
          preview={asked.preview}
          busy={busy}
          error={error}
          isUnknown={isUnknown}
          onBack={back}
          onProve={prove}
        />
      ) : (
        <FundsForm assets={assets} first={asset} busy={busy} error={error} isUnknown={isUnknown} onAsk={preview} />
      )}
    </Dialog>
  );
}

/** Shows the link of a new proof. */
function FundsLink({ url, onClose }: { url: string; onClose: () => void }) {
  return (
    <div className="grid gap-4">
      <Field label="Proof link">
        {(control) => (
          <Input
            {...control}
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
            className="font-mono sm:text-xs!"
          />
        )}
      </Field>
      <p className="text-pretty text-muted text-sm">
        It can't be taken back; it ends when it expires. What follows # is never sent to a server, ours included.{" "}
        <a href={url} target="_blank" rel="noreferrer" className="text-accent underline underline-offset-4">
          See what others see
        </a>
        .
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Done</Button>
        <CopyButton value={url} label="proof link" text="Copy link" tone="primary" size="medium" />
      </div>
    </div>
  );
}
