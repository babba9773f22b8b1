"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { Field, Input } from "@/components/ui/field";
import { Progress } from "@/components/ui/progress";
import { useVault } from "@/components/vault/vault-provider";
import { StepText } from "./step";
import { useStep } from "./use-step";

/** Which group of the code is asked for: one nobody can foresee. */
const anyGroup = (groups: number) => (crypto.getRandomValues(new Uint8Array(1))[0] ?? 0) % groups;

/** Makes the account's root in the vault, seals it with the wallet and, if wanted, a recovery code, and enrols. */
export function EnrolStep({ handle, onDone }: { handle: string; onDone: () => void }) {
  const vault = useVault();
  const { busy, error, run } = useStep();
  const [code, setCode] = useState<string>();

  const offer = async () => {
    const { newRecoveryCode } = await import("@/lib/ledger/recovery-code");
    setCode(newRecoveryCode());
  };
  const enrol = (recoveryCode?: string) =>
    run(async () => {
      await vault.run("enroll", { handle, recoveryCode });
      onDone();
    });
  if (busy) {
    return (
      <div role="status" className="grid gap-3">
        <Progress label="Enrolling: sign when your wallet asks" />
        <StepText>
          Three signatures: two seal the key of your account, the third registers it on the ledger. Each says what it is
          for.
        </StepText>
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      {code ? (
        <CodeForm code={code} onConfirmed={() => enrol(code)} onBack={() => setCode(undefined)} />
      ) : (
        <>
          <StepText>
            Your browser makes a key that opens your amounts, and your wallet seals it. The service never has it. A
            recovery code opens it as well, should you ever lose the wallet's help; it cannot be added later.
          </StepText>
          <div className="flex flex-wrap gap-2">
            <Button tone="primary" onClick={offer}>
              Make a recovery code
            </Button>
            <Button onClick={() => enrol()}>Enrol without one</Button>
          </div>
        </>
      )}
      {error && <Callout tone="danger">{error}</Callout>}
    </div>
  );
}

/** Shows the code once, and goes on when one group of it has been typed from where it was written down. */
function CodeForm({ code, onConfirmed, onBack }: { code: string; onConfirmed: () => void; onBack: () => void }) {
  const groups = code.split("-");
  const [asked] = useState(() => anyGroup(groups.length));
  const [confirming, setConfirming] = useState(false);
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("group")).trim().toUpperCase();
    if (typed === groups[asked]) onConfirmed();
    else setError(`That is not group ${asked + 1}. Look at what you wrote down, or go back to see the code again.`);
  };
  if (!confirming) {
    return (
      <div className="grid gap-4">
        <StepText>Write it down or put it into a password manager. It is shown now and never again.</StepText>
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-sunken px-4 py-3">
          <code className="font-mono text-[15px] tracking-wide">{code}</code>
          <CopyButton value={code} label="recovery code" text="Copy" />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button tone="primary" onClick={() => setConfirming(true)}>
            I have stored it
          </Button>
          <Button tone="ghost" onClick={onBack}>
            Go back
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form onSubmit={submit} className="grid gap-4">
      <Field
        label={`Type group ${asked + 1} of ${groups.length}`}
        hint="Four characters, from where you stored the code."
        error={error}
      >
        {(control) => (
          <Input
            {...control}
            name="group"
            required
            maxLength={4}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            className="max-w-32 font-mono uppercase"
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary">
          Enrol
        </Button>
        <Button tone="ghost" onClick={() => setConfirming(false)}>
          Show the code again
        </Button>
      </div>
    </form>
  );
}
