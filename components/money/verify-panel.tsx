"use client";

import { CircleCheck, CircleX } from "lucide-react";
import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { Amount } from "@/components/ui/amount";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { VerifiedBalances } from "@/components/vault/methods/verify-balances";
import { useVault, useVaultOwner } from "@/components/vault/vault-provider";
import { Failure } from "./failure";
import { ProofProgress } from "./proof-progress";
import { noteTotalsShown, restoreTotalsShown, totalsShownAt } from "./totals-shown";
import { VerificationRequestShown } from "./verification-request-shown";

/**
 * Has the service verify the balances: proves them in this browser, has the service check the proof, and compares the
 * results.
 */
export function VerifyPanel({ verified }: { verified: boolean }) {
  const network = useNetwork();
  const vault = useVault();
  const owner = useVaultOwner();
  const { busy, thrown, run } = useAsyncAction();
  const [result, setResult] = useState<VerifiedBalances>();
  const check = () =>
    run(async () => {
      setResult(undefined);
      if (!(await vault.unlock())) return;
      // Noted first: the vault sends the proof even if this page is gone by then.
      const before = totalsShownAt(owner);
      let left = false;
      noteTotalsShown(owner);
      const onProgress = () => {
        left = true;
      };
      try {
        setResult(await vault.run("verifyBalances", undefined, { onProgress }));
      } catch (error) {
        if (!left) restoreTotalsShown(owner, before);
        throw error;
      }
    });
  const locked = vault.status !== "unlocked";
  return (
    <Card
      title="Verified by the service"
      description="Your browser proves what this account holds, without its agents. Verifying shows the service your totals: it checks the proof against the chain. No key leaves this machine."
      action={
        verified ? (
          <Button busy={busy} onClick={check}>
            {result ? "Verify again" : "Verify balances"}
          </Button>
        ) : (
          <Link href={`/${network}/settings`} className={buttonClass()}>
            Verify your identity first
          </Link>
        )
      }
    >
      {busy ? (
        <ProofProgress>Proving on this machine. A few seconds for each asset.</ProofProgress>
      ) : thrown !== undefined ? (
        <Failure error={thrown} title="The service did not confirm your balances." />
      ) : result && !locked ? (
        <Compared result={result} />
      ) : undefined}
    </Card>
  );
}

function Compared({ result }: { result: VerifiedBalances }) {
  const differs = result.assets.some(({ decrypted, reported }) => decrypted !== reported);
  return (
    <div className="grid gap-4">
      {differs && (
        <Callout tone="danger" title="The service's response differs from what this browser decrypted.">
          Money may have moved in between: verify again. If this persists, trust the figures decrypted in this browser
          and ask for help.
        </Callout>
      )}
      <ul className="grid gap-2 sm:grid-cols-2">
        {result.assets.map(({ asset, decrypted, reported }) => (
          <li key={asset} className="flex items-start gap-3 rounded-lg border border-line px-3.5 py-3 text-sm">
            {decrypted === reported ? (
              <CircleCheck size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-success" />
            ) : (
              <CircleX size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-danger" />
            )}
            <div className="min-w-0">
              <p className="font-medium">
                {asset} {decrypted === reported ? "matches" : "differs"}
              </p>
              <p className="mt-0.5 text-muted">
                Service: <Amount value={reported} asset={asset} className="text-ink" />
              </p>
              <p className="text-muted">
                Decrypted here: <Amount value={decrypted} asset={asset} className="text-ink" />
              </p>
            </div>
          </li>
        ))}
      </ul>
      {result.undecrypted > 0 && (
        <p className="text-muted text-sm">
          {result.undecrypted} {result.undecrypted === 1 ? "received payment" : "received payments"} can't be decrypted
          and count in neither figure.
        </p>
      )}
      <VerificationRequestShown sent={result.sent} />
    </div>
  );
}
