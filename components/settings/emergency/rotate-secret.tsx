"use client";

import { useEffect, useState } from "react";
import { filtersNote } from "@/components/api/browser/account-notes";
import { note, noted } from "@/components/api/browser/notes";
import { useNetwork } from "@/components/api/network-context";
import { useRefresh } from "@/components/api/use-refresh";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Link } from "@/components/ui/link";
import { Progress } from "@/components/ui/progress";
import { Time } from "@/components/ui/time";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { OutputOf } from "@/components/vault/protocol";
import { RecoveryCodeField } from "@/components/vault/recovery-code-field";
import { useOnLock } from "@/components/vault/use-on-lock";
import { useVault, useVaultOwner } from "@/components/vault/vault-provider";
import { signingFor } from "@/components/wallet/signing-for";
import type { Network } from "@/lib/base/network";
import type { HalcyonError } from "@/sdk/api/errors";
import { EmergencyCard } from "./emergency-card";
import { ROTATION } from "./rotation-to-sign";
import { rotationLeft, stepOf } from "./rotation-words";

/** The note of this browser that an account's rotation was begun, without anything secret. Signing out deletes it. */
const nameOf = (network: Network, address: string) => filtersNote(address, `rotation.${network}`);

/** Returns when a rotation was begun that has not ended, ISO 8601, or null. */
const rotationBegun = (network: Network, address: string) => noted("localStorage", nameOf(network, address));

type Rotated = OutputOf<"rotateSecret">;

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** What came of a rotation, with what is left to do. */
function Outcome({ result }: { result: Rotated }) {
  const network = useNetwork();
  const left = rotationLeft(result);
  const counts = [
    [result.keys_ended, "key is ended", "keys are ended"],
    [result.agents_rekeyed, "agent has a new signing key", "agents have new signing keys"],
    [result.available_balances, "balance is encrypted again", "balances are encrypted again"],
  ] as const;
  const done = counts.filter(([count]) => count > 0).map(([count, one, many]) => counted(count, one, many));
  return (
    <div role="status" className="grid gap-3">
      <Callout tone="success" title="The account secret is replaced.">
        {done.length > 0 && `${done.join(", ")}. `}
        <Link href={`/${network}/developers/keys?do=create`} className="underline">
          Create new API keys
        </Link>
        , and unlock again wherever else you use this account.
      </Callout>
      {left.length > 0 && (
        <Callout tone="warning" title="This is left:">
          <ul className="grid list-disc gap-1 pl-4">
            {left.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Callout>
      )}
    </div>
  );
}

/**
 * Replaces the account secret in the browser. What is done stays done: after an interruption, running it again finishes
 * the rest, and a note of this browser says that there is a rest.
 */
export function RotateSecret() {
  const vault = useVault();
  const network = useNetwork();
  const { address } = useVaultOwner();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const [begun, setBegun] = useState<string | null>(null);
  const [step, setStep] = useState<{ done: number; total: number }>();
  const [result, setResult] = useState<Rotated>();
  // Only a contract wallet is asked for it: its signature decrypts nothing.
  const [code, setCode] = useState("");
  const [asksCode, setAsksCode] = useState(false);
  useOnLock(() => setCode(""));
  const { busy, error, isUnknown, run } = useAsyncAction();
  useEffect(() => setBegun(rotationBegun(network, address)), [network, address]);
  const forget = () => {
    forgetRotation(network, address);
    setBegun(null);
  };
  const rotate = () =>
    run(async () => {
      let reached = 0;
      setResult(undefined);
      setStep({ done: 0, total: 4 });
      try {
        const onProgress = (done: number, total: number) => {
          reached = done;
          // From here on something may have changed, whatever becomes of this page.
          if (done === 1) noteRotation(network, address);
          setStep({ done, total });
        };
        const output = await signingFor(ROTATION, () =>
          vault.run("rotateSecret", { recoveryCode: code.trim() || undefined }, { onProgress }),
        );
        setResult(output);
        setCode("");
        setAsksCode(false);
        if (!output.unfinished) forget();
        else setBegun(rotationBegun(network, address));
      } catch (thrown) {
        if ((thrown as HalcyonError).param === "recoveryCode") setAsksCode(true);
        // The wallet was asked, and declined.
        if (reached === 1 && begun === null && (thrown as HalcyonError).code === "aborted") forget();
        else setBegun(rotationBegun(network, address));
        throw thrown;
      } finally {
        setStep(undefined);
        refresh();
      }
    });
  const again = begun !== null;
  return (
    <EmergencyCard
      id="rotate-secret"
      title="Rotate the account secret"
      description="For a server that was taken over, or a key that leaked together with it. Ends every API key, replaces your payment key and every agent's signing key, and encrypts your balances again. What the old secret could decrypt or sign ends with it."
      takes="About a minute, more with many agents"
      needs="2 signatures, and 1 for each agent and balance"
      afterwards="Create new API keys. Money, history and agents stay as they are."
      action={
        <Button
          data-early
          tone="danger"
          busy={busy}
          onClick={() => (again || asksCode ? void rotate() : setAsking(true))}
        >
          {again ? "Continue" : "Rotate secret"}
        </Button>
      }
    >
      {begun !== null && !busy && !error && !result && (
        <Callout tone="warning" title="A rotation was not finished.">
          It was begun <Time value={begun} />. What was done then stays done. Continue to do the rest.
        </Callout>
      )}
      {asksCode && (
        <div className="sm:max-w-sm">
          <RecoveryCodeField value={code} disabled={busy} onChange={(event) => setCode(event.target.value)} />
        </div>
      )}
      {step && <Progress label={stepOf(step.done)} {...step} />}
      {error && (
        <ErrorCallout
          isUnknown={isUnknown}
          failed={again ? "The rotation is not finished." : "The secret was not replaced."}
        >
          {error}
          {again && " What was done stays done: continue to do the rest."}
        </ErrorCallout>
      )}
      {result && <Outcome result={result} />}
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="Rotate the account secret?"
        keep="Keep secret"
        confirm="Rotate secret"
        onConfirm={async () => void rotate()}
      >
        <p>
          All API keys of your account and its agents end with it. Your programs need new ones before they pay again.
        </p>
        <p>Keep this page open until it is done. If it closes, open it again and continue.</p>
      </ConfirmDialog>
    </EmergencyCard>
  );
}

/** Notes that a rotation begins. */
function noteRotation(network: Network, address: string, now = new Date()): void {
  note("localStorage", nameOf(network, address), now.toISOString());
}

/** Deletes the note: everything is done, or nothing was changed. */
function forgetRotation(network: Network, address: string): void {
  note("localStorage", nameOf(network, address), null);
}
