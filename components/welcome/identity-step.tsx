"use client";

import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { Button } from "@/components/ui/button";
import { ErrorCallout } from "@/components/ui/error-callout";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { IdentityCheck } from "@/sdk/account/verify-identity";
import { HalcyonError } from "@/sdk/api/errors";
import { StepText } from "./step";

/** Has the network's provider check the person's identity. */
export function IdentityStep({ onDone }: { onDone: () => void }) {
  const network = useNetwork();
  const { busy, error, isUnknown, run } = useAsyncAction();
  const verify = () =>
    run(async () => {
      const { kyc_status, url } = await api(network).post<IdentityCheck>("/api/kyc/verify");
      if (url !== undefined) return window.location.assign(url);
      if (kyc_status !== "verified" && kyc_status !== "enhanced") {
        throw new HalcyonError("unavailable", "The provider is still checking. Come back to this page later.");
      }
      onDone();
    });
  return (
    <>
      <StepText>
        {network === "test"
          ? "On the test network a sandbox responds immediately and asks nothing about you."
          : "The provider checks who you are. The service keeps only the result."}
      </StepText>
      {error && <ErrorCallout isUnknown={isUnknown}>{error}</ErrorCallout>}
      <div>
        <Button tone="primary" busy={busy} onClick={verify}>
          Verify identity
        </Button>
      </div>
    </>
  );
}
