"use client";

import { useQueryClient } from "@tanstack/react-query";
import { KeyRound, Wallet } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Field, Input } from "@/components/ui/field";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { RecoveryCodeForm } from "@/components/vault/recovery-code-form";
import { useOnLock } from "@/components/vault/use-on-lock";
import { useVault } from "@/components/vault/vault-provider";
import type { Backup } from "@/sdk/account/backups";

type Kind = Backup["kind"];

interface KindOfBackup {
  kind: Kind;
  name: string;
  says: string;
  icon: ReactNode;
}

const KINDS: readonly KindOfBackup[] = [
  {
    kind: "recovery_code",
    name: "A recovery code",
    says: "Generated here and shown once. For paper or a password manager.",
    icon: <KeyRound size={16} aria-hidden="true" />,
  },
  {
    kind: "wallet",
    name: "A second wallet",
    says: "Another wallet of yours signs to encrypt the copy, and to decrypt it. It gets no rights here.",
    icon: <Wallet size={16} aria-hidden="true" />,
  },
];

interface ChoiceProps extends KindOfBackup {
  chosen: boolean;
  onChoose: (kind: Kind) => void;
}

function Choice({ kind, name, says, icon, chosen, onChoose }: ChoiceProps) {
  return (
    <label className="flex cursor-pointer gap-3 rounded-lg border border-line-strong p-3.5 hover:bg-sunken/60 has-checked:border-accent has-checked:bg-accent-soft/50 has-focus-visible:outline-2 has-focus-visible:outline-accent">
      <input
        type="radio"
        name="kind"
        value={kind}
        checked={chosen}
        onChange={() => onChoose(kind)}
        className="sr-only"
      />
      <span className="mt-0.5 shrink-0 text-muted">{icon}</span>
      <span className="min-w-0">
        <span className="block font-medium text-sm">{name}</span>
        <span className="mt-0.5 block text-pretty text-muted text-sm">{says}</span>
      </span>
    </label>
  );
}

/**
 * Creates a backup. The vault's worker decrypts the account key and encrypts the copy; the account key never leaves the
 * worker.
 */
function Form({ onClose, onAdded }: { onClose: () => void; onAdded: (backup: Backup) => void }) {
  const vault = useVault();
  const network = useNetwork();
  const client = useQueryClient();
  const toast = useToast();
  const [kind, setKind] = useState<Kind>("recovery_code");
  const [label, setLabel] = useState("");
  const [code, setCode] = useState<string>();
  const { busy, error, isUnknown, run } = useAsyncAction();
  useOnLock(() => setCode(undefined));

  const make = (opener: { recoveryCode: string } | "wallet") =>
    run(async () => {
      const backup = await vault.run("createBackup", { label: label.trim(), opener });
      await client.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/backups") });
      toast.success("Backup added", "Test it now, while you can still make another.");
      onClose();
      onAdded(backup);
    });
  const next = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (kind === "wallet") return make("wallet");
    // Unlock first, so that the code is not shown before it can be used.
    if (!(await vault.unlock())) return;
    const { newRecoveryCode } = await import("@/lib/ledger/crypto/recovery-code");
    setCode(newRecoveryCode());
  };
  const failure = error && <ErrorCallout isUnknown={isUnknown}>{error}</ErrorCallout>;
  if (busy) {
    return (
      <div role="status" className="grid gap-2 text-sm">
        <p className="font-medium">Encrypting the copy: sign when your wallet asks.</p>
        <p className="text-pretty text-muted">
          {kind === "wallet"
            ? "Your account's wallet decrypts the key, then the other wallet signs twice to encrypt the copy."
            : "Your account's wallet decrypts the key once more, so that it can be encrypted under the code."}
        </p>
      </div>
    );
  }
  if (code) {
    return (
      <div className="grid gap-4 text-sm">
        <RecoveryCodeForm
          code={code}
          confirm="Add backup"
          onConfirmed={() => make({ recoveryCode: code })}
          other={
            <Button tone="ghost" onClick={() => setCode(undefined)}>
              Go back
            </Button>
          }
        />
        {failure}
      </div>
    );
  }
  return (
    <form onSubmit={next} className="grid gap-4">
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium text-sm">What decrypts it</legend>
        {KINDS.map((each) => (
          <Choice key={each.kind} {...each} chosen={kind === each.kind} onChoose={setKind} />
        ))}
      </fieldset>
      <Field
        label="Label"
        hint="Where you keep it, such as “Safe at home”. Anyone with your session can read this label."
      >
        {(control) => (
          <Input
            {...control}
            name="label"
            required
            maxLength={80}
            autoComplete="off"
            value={label}
            onChange={(event) => setLabel(event.target.value)}
          />
        )}
      </Field>
      {failure}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" tone="primary">
          {kind === "wallet" ? "Continue with wallets" : "Create a recovery code"}
        </Button>
      </div>
    </form>
  );
}

/** Adds a backup. Closing the dialog early creates none. */
export function AddBackupDialog({
  open,
  onClose,
  onAdded,
}: {
  open: boolean;
  onClose: () => void;
  /** Called with the new backup, to be tested. */
  onAdded: (backup: Backup) => void;
}) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Add a backup"
      description="Another encrypted copy of your account key, created in this browser."
    >
      <Form onClose={onClose} onAdded={onAdded} />
    </Dialog>
  );
}
