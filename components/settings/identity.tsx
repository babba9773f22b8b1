"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, type ReactNode, useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Field, Input } from "@/components/ui/field";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { KycStatus } from "@/lib/accounts/kyc/provider";
import type { Network } from "@/lib/base/network";
import type { IdentityCheck } from "@/sdk/account/verify-identity";
import { KycBadge } from "./kyc-badge";

const OUTCOMES = [
  ["Sandbox Pending", "stays pending"],
  ["Sandbox Enhanced", "ends enhanced"],
  ["Sandbox Rejected", "is refused"],
] as const;

/** Explains the sandbox's special names. `children` is the form to try them once nothing else is left to do. */
function Sandbox({ children }: { children: ReactNode }) {
  return (
    <details className="text-sm">
      <summary className="w-fit rounded-md text-muted hover:text-ink pointer-coarse:py-2.5">
        Try another outcome of the sandbox
      </summary>
      <div className="mt-3 grid gap-4">
        <ul className="grid gap-1.5 text-muted">
          {OUTCOMES.map(([name, outcome]) => (
            <li key={name}>
              <code className="rounded bg-sunken px-1.5 py-0.5 font-mono text-ink text-xs">{name}</code> {outcome}
            </li>
          ))}
          <li>Any other name, or none, is verified at once.</li>
        </ul>
        {children}
      </div>
    </details>
  );
}

/** Requests the identity check, and goes to the provider's page if there is one. */
async function requestCheck(network: Network, body: object): Promise<KycStatus> {
  const { kyc_status, url } = await api(network).post<IdentityCheck>("/api/kyc/verify", body);
  if (url !== undefined) window.location.assign(url);
  return kyc_status;
}

/**
 * The identity check of this network: its state, and how to start it.
 *
 * @param hosted whether the provider checks on its own pages
 * @param returned whether the person is coming back from there
 */
export function Identity({
  status,
  sandbox,
  hosted,
  returned,
}: {
  status: KycStatus;
  sandbox: boolean;
  hosted: boolean;
  returned: boolean;
}) {
  const network = useNetwork();
  const router = useRouter();
  const [outcome, setOutcome] = useState<KycStatus>();
  const { busy, error, isUnknown, run } = useAsyncAction();
  const now = outcome ?? status;
  const done = now === "verified" || now === "enhanced";
  const verify = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = String(new FormData(event.currentTarget).get("name") ?? "").trim();
    setOutcome(undefined);
    return run(async () => {
      setOutcome(await requestCheck(network, name === "" ? {} : { full_name: name }));
      router.refresh();
    });
  };
  const form = (
    <form onSubmit={verify} className="grid max-w-md gap-3">
      {!hosted && (
        <Field label="Full name" optional hint="As on your document. It goes to the provider and is not kept here.">
          {(control) => <Input {...control} name="name" autoComplete="name" maxLength={200} />}
        </Field>
      )}
      <div>
        <Button type="submit" tone={done ? "secondary" : "primary"} busy={busy}>
          {done ? "Verify again" : hosted && (returned || now === "pending") ? "Check again" : "Verify identity"}
        </Button>
      </div>
    </form>
  );
  return (
    <Card
      title="Identity"
      description={
        network === "live"
          ? "Needed to pay on the live network and to read balances through the API. The service keeps the result, never your name."
          : "Needed to read balances through the API. On the test network a sandbox responds immediately; names are not stored."
      }
      action={<KycBadge status={now} />}
    >
      <div className="grid gap-4">
        <div aria-live="polite" className="empty:hidden">
          {outcome === undefined && !done && returned && (
            <Callout title="Welcome back.">The result arrives from the provider, usually within minutes.</Callout>
          )}
          {outcome === "unverified" && !hosted && (
            <Callout tone="warning" title="You were not verified.">
              Check that the name is the one on your document, then try again.
            </Callout>
          )}
          {outcome === "pending" && (
            <Callout title="The provider is still checking.">Come back to this page later.</Callout>
          )}
          {outcome && done && <Callout tone="success" title="Your identity is verified on this network." />}
        </div>
        {error && <ErrorCallout isUnknown={isUnknown}>{error}</ErrorCallout>}
        {!done && form}
        {sandbox && <Sandbox>{done && form}</Sandbox>}
      </div>
    </Card>
  );
}
