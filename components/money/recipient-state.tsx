"use client";

import { Check, Pin } from "lucide-react";
import type { ReactNode } from "react";
import { messageOf } from "@/components/api/message-of";
import { isSignedOut } from "@/components/api/session-errors";
import { shortened } from "@/components/ui/address";
import { Skeleton } from "@/components/ui/skeleton";
import { type DecryptedQuery, useVault } from "@/components/vault/vault-provider";
import type { FoundRecipient } from "@/sdk/payments/recipient";

const SHAPE = /^(@[a-z0-9][a-z0-9._-]*[a-z0-9](\/[a-z0-9][a-z0-9_-]*)?|0x[0-9a-f]{40})$/i;

/** Returns what is wrong with a recipient as typed, or undefined. */
export function recipientProblem(to: string): string | undefined {
  if (to === "") return "Enter a recipient.";
  return SHAPE.test(to) ? undefined : "Enter a handle such as @bob, or an address: 0x and 40 hex digits.";
}

/** Returns why the recipient can't be paid; undefined if they can, or while that is unknown. */
export function recipientRefusal({ data, error }: DecryptedQuery<FoundRecipient>): string | undefined {
  // The dialog says so, and offers the sign-in.
  if (isSignedOut(error)) return undefined;
  if (error) {
    const code = "code" in error ? error.code : undefined;
    return code === "recipient_not_found" ? "No account has this handle. Check the spelling." : messageOf(error);
  }
  if (data?.own === "account") return "This is your own account. Choose another recipient.";
  if (data && !data.ready) {
    return "Not enrolled on this network, so it cannot receive private payments. Ask them to sign up, or withdraw to their address in public.";
  }
  return undefined;
}

/** Shows who would receive a payment, as this browser sees it. Its height never changes. */
export function RecipientState({ to, found }: { to: string; found: DecryptedQuery<FoundRecipient> }) {
  const { status } = useVault();
  if (recipientProblem(to) !== undefined) return <Line>A handle such as @bob, or an address.</Line>;
  if (status !== "unlocked") return <Line>Looked up before you pay.</Line>;
  if (found.isPending) return <Skeleton className="h-4 w-56" />;
  if (!found.data) return null;
  const { address, own, pin } = found.data;
  return (
    <Line>
      {pin === "first" ? (
        <Pin size={12} aria-hidden="true" className="shrink-0 text-muted" />
      ) : (
        <Check size={12} aria-hidden="true" className="shrink-0 text-success" />
      )}
      <span>
        <span className="font-mono">{shortened(address)}</span>
        {own === "agent" && " Your own agent: this moves to its available balance."}
        {own === null && pin === "first" && " First payment: this address is remembered on this device."}
        {own === null && pin === "same" && " Same address as at your first payment."}
        {own === null && pin === null && " Enrolled on this network."}
      </span>
    </Line>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <span className="inline-flex min-h-4 items-center gap-1.5">{children}</span>;
}
