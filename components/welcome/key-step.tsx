"use client";

import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { KeyNotKnown } from "@/components/keys/key-not-known";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { CopyButton } from "@/components/ui/copy-button";
import { Link } from "@/components/ui/link";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { StepText } from "./step";

const LABEL = "First key";

/**
 * Creates the first API key and shows it once. Continues when the person confirms that it is copied. Optional: people
 * can pay without one.
 */
export function KeyStep({ onDone, onSkip }: { onDone: (key: string) => void; onSkip: () => void }) {
  const vault = useVault();
  const network = useNetwork();
  const { busy, error, isUnknown, run } = useAsyncAction();
  const [key, setKey] = useState<string>();
  const [copied, setCopied] = useState(false);
  const create = () => run(async () => setKey((await vault.run("createKey", { label: LABEL })).api_key));
  if (!key && isUnknown) {
    return (
      <KeyNotKnown label={LABEL}>
        <Link href={`/${network}/developers/keys`} className={buttonClass()}>
          Look at your keys
        </Link>
        <Button tone="ghost" onClick={onSkip}>
          Continue without a key
        </Button>
      </KeyNotKnown>
    );
  }
  if (!key) {
    return (
      <>
        <StepText>A key lets a program pay from your available balance. The service stores only its hash.</StepText>
        {error && <Callout tone="danger">{error}</Callout>}
        <div className="flex flex-wrap gap-2">
          <Button tone="primary" busy={busy} onClick={create}>
            Create API key
          </Button>
          <Button onClick={onSkip} disabled={busy}>
            Continue without a key
          </Button>
        </div>
      </>
    );
  }
  return (
    <>
      <StepText>Copy it to where your program reads its secrets. It is shown only now.</StepText>
      <div className="flex items-start justify-between gap-3 rounded-lg border border-line bg-sunken p-3">
        <code className="wrap-anywhere min-w-0 flex-1 py-1 font-mono text-[13px]">{key}</code>
        <CopyButton value={key} label="API key" text="Copy key" onCopied={() => setCopied(true)} />
      </div>
      <Checkbox label="I have copied the key." checked={copied} onChange={setCopied} />
      <div>
        <Button tone="primary" disabled={!copied} onClick={() => onDone(key)}>
          Continue
        </Button>
      </div>
    </>
  );
}
