"use client";

import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import type { MadeProofOfFunds } from "@/sdk/statements/proofs-of-funds/create-proof-of-funds";
import type { ProofOfFundsPreview } from "@/sdk/statements/proofs-of-funds/preview-proof-of-funds";
import type { ProofOfFundsInput } from "@/sdk/statements/proofs-of-funds/request-of";
import { FundsForm, type ProvableAsset } from "./funds-form";
import { FundsLink } from "./funds-link";
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
