"use client";

import { BadgeCheck } from "lucide-react";
import type { CheckableNetwork } from "@/components/documents/receipt/checkable-network";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { useCount } from "@/components/ui/count";
import { Fact } from "@/components/ui/fact";
import { FullAddress } from "@/components/ui/full-address";
import { UtcTime } from "@/components/ui/utc-time";
import type { VerifiedProofOfFunds } from "@/sdk/statements/proofs-of-funds/check-proof-of-funds";

/** Shows a valid proof of funds and what the chain says about it. */
export function ProvenFunds({ proof, network }: { proof: VerifiedProofOfFunds; network: CheckableNetwork }) {
  const written = useCount();
  const count = (block: string) => written(Number(block));
  return (
    <section
      aria-label="Verified proof of funds"
      className="overflow-hidden rounded-2xl border border-line bg-raised shadow-raised"
    >
      <div
        className={`border-line border-b px-5 py-3.5 sm:px-6 ${proof.still ? "bg-success-soft" : "bg-warning-soft"}`}
      >
        <p className={`flex items-center gap-2 font-medium text-sm ${proof.still ? "text-success" : "text-warning"}`}>
          <BadgeCheck size={17} aria-hidden="true" />
          {proof.still ? "Still true at the chain's newest block" : `Was true at block ${count(proof.block)}`}
        </p>
      </div>
      <div className="px-5 pt-6 pb-3 sm:px-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="font-semibold text-4xl tracking-tight">
            <span className="mr-2 font-normal text-lg text-muted">at least</span>
            <Amount value={proof.at_least} asset={proof.asset} />
          </p>
          {proof.network === "test" ? <Badge>Test network</Badge> : <Badge tone="live">Live network</Badge>}
        </div>
        <dl className="mt-5 divide-y divide-line border-line border-t">
          <Fact name="Made for">
            <span className="wrap-anywhere font-medium">{proof.verifier}</span>
          </Fact>
          <Fact name="Purpose">
            <span className="wrap-anywhere">{proof.purpose || "None given"}</span>
          </Fact>
          <Fact name="Account">
            <span className="flex items-start gap-1">
              <FullAddress value={proof.account} />
              <CopyButton value={proof.account} label="account's address" />
            </span>
          </Fact>
          <Fact name="Made">
            <UtcTime value={proof.block_at} /> <span className="text-muted">block {count(proof.block)}</span>
          </Fact>
          <Fact name="Expires">
            <UtcTime value={proof.expires_at} />
          </Fact>
          <Fact name="Challenge">
            <span className="wrap-anywhere font-mono text-[13px]">{proof.challenge}</span>
          </Fact>
        </dl>
      </div>
      <p className="border-line border-t px-5 py-4 text-pretty text-muted text-xs sm:px-6">
        If you are not {proof.verifier}, someone passed this proof on.{" "}
        {!proof.still && "The account has moved money since; how much it has now is not known. "}
        {proof.network === "test" && "Money on the test network is not real. "}
        Checked in this browser at block {count(proof.checked_block)}, against the chain at{" "}
        {new URL(network.rpcUrl).host}.
      </p>
    </section>
  );
}
