"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Progress } from "@/components/ui/progress";
import { Skeleton } from "@/components/ui/skeleton";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { RecoveryCodeForm } from "@/components/vault/recovery-code-form";
import { useVault } from "@/components/vault/vault-provider";
import { StepText } from "./step";

/** Creates the account key in the vault, encrypts it with the wallet and optionally a recovery code, and enrolls. */
export function EnrollStep({ handle, onDone }: { handle: string; onDone: () => void }) {
  const vault = useVault();
  const { busy, error, isUnknown, run } = useAsyncAction();
  const [code, setCode] = useState<string>();
  const making = useAsyncAction();
  // Never while the server renders, which would then know the code.
  const make = useEffectEvent(() =>
    making.run(async () => {
      const { newRecoveryCode } = await import("@/lib/ledger/crypto/recovery-code");
      setCode(newRecoveryCode());
    }),
  );
  useEffect(() => void make(), []);
  const enroll = (recoveryCode?: string) =>
    run(async () => {
      await vault.run("enroll", { handle, recoveryCode });
      onDone();
    });
  if (busy) {
    return (
      <div role="status" className="grid gap-3">
        <Progress label="Enrolling: sign when your wallet asks" />
        <StepText>
          Two signatures encrypt your account's key, the third registers it. A contract wallet signs only the third.
        </StepText>
      </div>
    );
  }
  return (
    <div className="grid gap-4">
      <StepText>
        Your browser creates the key to your amounts, and your wallet encrypts it. This recovery code decrypts it too,
        in case you lose the wallet.
      </StepText>
      {code ? (
        <RecoveryCodeForm
          code={code}
          confirm="Enroll"
          onConfirmed={() => enroll(code)}
          other={<Button onClick={() => enroll()}>Enroll without one</Button>}
        />
      ) : making.error ? (
        <ErrorCallout isUnknown={false}>{making.error}</ErrorCallout>
      ) : (
        <Skeleton className="h-24 rounded-lg!" />
      )}
      {error && <ErrorCallout isUnknown={isUnknown}>{error}</ErrorCallout>}
    </div>
  );
}
