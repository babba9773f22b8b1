"use client";

import { type FormEvent, useRef, useState } from "react";
import { shortened } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { RecoveryCodeField } from "@/components/vault/recovery-code-field";
import { useOnLock } from "@/components/vault/use-on-lock";
import { useVault } from "@/components/vault/vault-provider";
import type { BackupToTest } from "./backup-to-test";

function Form({ tested, onClose }: { tested: BackupToTest; onClose: () => void }) {
  const vault = useVault();
  const { busy, error, run } = useAsyncAction();
  const [opens, setOpens] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useOnLock(() => form.current?.reset());
  const byCode = tested.kind === "recovery_code";
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const recoveryCode = String(new FormData(event.currentTarget).get("code"));
    return run(async () => {
      await vault.run("testBackup", { encrypted: tested.encrypted, opener: byCode ? { recoveryCode } : "wallet" });
      form.current?.reset();
      setOpens(true);
    });
  };
  if (opens) {
    return (
      <div className="grid gap-4">
        <div role="status">
          <Callout tone="success" title="The backup works.">
            {byCode ? "The code" : "The wallet"} decrypts your account's key. Nothing was changed or sent.
          </Callout>
        </div>
        <div className="flex justify-end">
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    );
  }
  return (
    <form ref={form} onSubmit={submit} className="grid gap-4">
      {byCode ? (
        <RecoveryCodeField name="code" required error={error} />
      ) : (
        <>
          <p className="text-pretty text-muted text-sm">
            You are asked to connect{" "}
            <span className="font-mono text-ink">{tested.address ? shortened(tested.address) : "the wallet"}</span>; its
            signature decrypts the copy in this tab. Then your account's wallet is used again.
          </p>
          {error && <Callout tone="danger">{error}</Callout>}
        </>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose} disabled={busy}>
          {byCode ? "Cancel" : "Not now"}
        </Button>
        <Button type="submit" tone="primary" busy={busy}>
          {busy ? "Decrypting" : "Test backup"}
        </Button>
      </div>
    </form>
  );
}

/** Decrypts a copy in the vault's worker, and says whether that works. */
export function TestBackupDialog({ tested, onClose }: { tested: BackupToTest | undefined; onClose: () => void }) {
  // Keeps the title while the dialog closes.
  const [shown, setShown] = useState(tested);
  if (tested && tested !== shown) setShown(tested);
  return (
    <Dialog
      open={tested !== undefined}
      onClose={onClose}
      title={`Test ${shown?.label ?? "backup"}`}
      description="An untested backup is only a hope. This decrypts it here and compares it with your account."
    >
      {shown && <Form key={`${shown.encrypted}${tested === undefined}`} tested={shown} onClose={onClose} />}
    </Dialog>
  );
}
